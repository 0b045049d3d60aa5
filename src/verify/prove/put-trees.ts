import { createHash } from "node:crypto";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { isSecretContent, isSuspectName } from "../../workspace/left-out.ts";
import type { Entry } from "../../workspace/tree.ts";
import type { UserRepository } from "../../workspace/user-repository.ts";
import type { CommittedFile, WorkFile } from "./read-trees.ts";

export type Entries = Map<string, Entry>;

/** Stores what the work tree holds. */
export function putWorkFiles(artifacts: ArtifactStore, files: WorkFile[]): Entries {
  const entries: Entries = new Map();
  const batch = artifacts.objects.batch();
  try {
    for (const file of files) {
      const content = file.read();
      if (isSecretFile(file.path, content)) continue;
      const { path, kind, permissions } = file;
      entries.set(path, { path, kind, permissions, id: batch.put("blob", content) });
    }
    batch.commit();
  } finally {
    batch.abandon();
  }
  return entries;
}

/** Stores what a commit holds. `now` is the work tree: what is the same there need not be read from the repository. */
export async function putCommittedFiles(
  artifacts: ArtifactStore,
  files: CommittedFile[],
  now: Entries,
): Promise<Entries> {
  const entries: Entries = new Map();
  const differing: CommittedFile[] = [];
  for (const file of files) {
    const { path, kind, permissions, id } = file;
    if (now.get(path)?.id === id) entries.set(path, { path, kind, permissions, id });
    else differing.push(file);
  }
  const batch = artifacts.objects.batch();
  try {
    for (const [repository, own] of Map.groupBy(differing, (file) => file.repository)) {
      const endings: CommittedFile[] = [];
      const byId = Map.groupBy(own, (file) => file.id);
      const blobs = [...byId].map(([id, [first]]) => ({ id, size: first?.size ?? 0 }));
      for await (const [blob, content] of repository.contents(blobs)) {
        for (const file of byId.get(blob) ?? []) {
          if (isSecretFile(file.path, content)) continue;
          const { path, kind, permissions } = file;
          const current = now.get(path);
          const difference =
            current?.kind === "file" && kind === "file" ? compare(content, artifacts, current) : "real";
          if (difference === "pointer" && current) entries.set(path, { ...current, permissions });
          else entries.set(path, { path, kind, permissions, id: batch.put("blob", Buffer.from(content)) });
          if (difference === "line-ends") endings.push(file);
        }
      }
      for (const { path, permissions } of await convertedByGit(repository, endings)) {
        const current = now.get(path);
        if (current) entries.set(path, { ...current, permissions });
      }
    }
    batch.commit();
  } finally {
    batch.abandon();
  }
  return entries;
}

/** Git itself may have written other bytes than it stores: a large file for its pointer, other line ends. */
function compare(content: Buffer, artifacts: ArtifactStore, current: Entry): "pointer" | "line-ends" | "real" {
  const oid = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:([0-9a-f]{64})\n/.exec(
    content.length < 1024 ? content.toString("latin1") : "",
  )?.[1];
  const now = artifacts.readBlob(current.id);
  if (oid !== undefined && createHash("sha256").update(now).digest("hex") === oid) return "pointer";
  const plain = (bytes: Buffer) => bytes.toString("latin1").replaceAll("\r\n", "\n");
  return now.length !== content.length && plain(now) === plain(content) ? "line-ends" : "real";
}

/** Only where git is told to convert: otherwise other line ends are a change like any other. */
async function convertedByGit(repository: UserRepository, files: CommittedFile[]): Promise<CommittedFile[]> {
  if (files.length === 0) return [];
  const everywhere = /^(true|input)$/.test(await repository.setting("core.autocrlf"));
  if (everywhere) return files;
  const converted = await repository.convertedPaths(files.map((file) => file.own));
  return files.filter((file) => converted.has(file.own));
}

function isSecretFile(path: string, content: Buffer): boolean {
  return isSuspectName(path.slice(path.lastIndexOf("/") + 1)) && isSecretContent(content);
}
