import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { isManifest } from "../../environments/manifest-files.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Change } from "../../workspace/changes.ts";
import { isStoredAnswer, namingFiles } from "../integrity/own-tests.ts";
import { isTestConfig, isTestSupport, isWholeConfig, locksOf } from "../locks/test-config.ts";
import { isDeployed, testSide } from "./test-side.ts";

type ChangePart = NonNullable<EvidenceDocument["change"]["files"][number]["part"]>;

export interface ChangedFile extends Change {
  part: ChangePart;
  /** Settings of tests by their name, and code imports them. */
  imported?: boolean;
}

/** What each changed file is for. Of a file that is shared, `test-config` only when its test-related fields changed. */
export async function sortChange(
  artifacts: ArtifactStore,
  parsers: SyntaxParsers,
  { base, result }: { base: string; result: string },
  isTestFile: (path: string) => boolean,
): Promise<ChangedFile[]> {
  const changes = artifacts.changes(base, result);
  const paths = artifacts.list(base).map(({ path }) => path);
  const all = [...new Set([...paths, ...artifacts.list(result).map(({ path }) => path)])];
  const read = (path: string) =>
    (artifacts.readFile(result, path) ?? artifacts.readFile(base, path))?.toString("utf8") ?? null;
  const changed = changes.map(({ path }) => path);
  const sides = await testSide(parsers, { paths: all, read }, isTestFile, changed);
  const files = namingFiles(artifacts, base, new Set(paths.filter(isTestFile)), []);
  return changes.map((change) => {
    const { path, before } = change;
    const part = partOf(artifacts, change, sides.tests);
    const isCodes = sides.code.has(path);
    if (part === "test-config") return { ...change, part, ...(isCodes && { imported: true }) };
    // What tests compare with changes sides with them.
    const isText = part === "documentation" || (part === "other" && !isManifest(path) && mayBeAnswer(path));
    const isAnswer = isText && before && !isCodes && isStoredAnswer(path, files);
    return { ...change, part: isAnswer ? "test-support" : part };
  });
}

function partOf(
  artifacts: ArtifactStore,
  change: Change,
  sides: ReadonlyMap<string, "test" | "test-support">,
): ChangePart {
  const { path } = change;
  if (isWholeConfig(path)) return "test-config";
  if (isTestConfig(path)) return sameTestFields(artifacts, change) ? "other" : "test-config";
  const side = sides.get(path);
  if (side) return side;
  if (isDocumentation(path)) return "documentation";
  return grammarOf(path) === null && !OTHER_CODE.test(path) ? "other" : "source";
}

/**
 * Whether its name says that something is compared with it. That tests open a file and code does not is not enough: what
 * is deployed is read elsewhere (`config/prod.json`, `Dockerfile`).
 */
export const mayBeAnswer = (path: string): boolean => (isTestSupport(path) || ANSWER.test(path)) && !isDeployed(path);
const ANSWER =
  /(^|[/_.-])(goldens?|expected|snapshots?|answers?|approved|baselines?|cassettes?|fixtures?|testdata|corpus|examples?|samples?|recordings?)([/_.-]|$)|\.out$/i;

/** Plain text is for people as long as it lists no packages and builds nothing; code that names it is asked elsewhere. */
const DOCUMENTATION =
  /(\.(md|markdown|rst|adoc)$)|(^|\/)(?!CMakeLists)[^/]*\.txt$|(^|\/)(LICEN[CS]E|NOTICE|AUTHORS|CHANGELOG|README)([-_.][^/]*)?$/i;
/** Data, however it is called: `license.json`. */
const DATA = /\.(json\w*|ya?ml|toml|csv|tsv|xml|ini|cfg|conf|env|properties|lock|plist)$/i;
/** Code that we cannot read: nobody can say which of its lines a test runs. */
const OTHER_CODE =
  /\.(sh|bash|rb|rs|java|kt|c|h|cc|cpp|hpp|cs|php|swift|scala|ex|exs|lua|pl|sql|vue|svelte|mdx|html|css|scss|ipynb|pyx)$/i;

function sameTestFields(artifacts: ArtifactStore, { path, before, after }: Change): boolean {
  const locks = (id: string | undefined) =>
    id === undefined ? "[]" : JSON.stringify(locksOf(path, artifacts.readBlob(id).toString("utf8")));
  return locks(before?.id) === locks(after?.id);
}

/** Belongs to the tests and not to what they test. */
export const isTestSide = ({ part }: Pick<ChangedFile, "part">): boolean =>
  part === "test" || part === "test-support" || part === "test-config";

/** Not code, however it is called: `license_check.py`, `authors.sh`. */
export const isDocumentation = (path: string): boolean =>
  DOCUMENTATION.test(path) &&
  !DATA.test(path) &&
  !isManifest(path) &&
  grammarOf(path) === null &&
  !OTHER_CODE.test(path);
