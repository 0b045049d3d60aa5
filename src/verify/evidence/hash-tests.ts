import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { sha256 } from "../../journal/hash.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { isTestConfig } from "../locks/test-config.ts";

/** The tests of a tree and what configures them, each by the hash of its content. */
export const hashTests = (
  artifacts: ArtifactStore,
  tree: string,
  isTestFile: (path: string) => boolean,
): EvidenceDocument["hashes"]["tests"] =>
  artifacts
    .list(tree)
    .filter(({ path, kind }) => kind === "file" && (isTestFile(path) || isTestConfig(path)))
    .map(({ path, id }) => ({ path, sha256: sha256(artifacts.readBlob(id)) }));
