import { basename, extname } from "node:path/posix";
import type { AccountLine } from "../../domain/evidence/account.ts";
import { isManifest as decidesPackages } from "../../environments/manifest-files.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { declaresOnly } from "../locks/declares-only.ts";
import { steersOthers } from "../locks/test-config.ts";
import { differsBesides, sharedFile } from "../locks/test-settings.ts";
import { changedFields, changedTables } from "./changed-fields.ts";
import { differsInDependencies } from "./only-dependencies.ts";

/** What is known of a changed file that is not judged by its code. */
export interface FileFacts {
  file: ChangedFile;
  /** Null where the file is not there, or is no plain file. */
  before: string | null;
  after: string | null;
  /** Whether code of the project speaks of the file. */
  named: boolean;
  /** Whether code asks for a field of a manifest. */
  isRead: (field: string) => boolean;
  /** Tests that turned green notice when a value in it is another. */
  noticed: boolean;
  /** Whether tests ran with it as it is now: not with settings of the base in its place. */
  used: boolean;
  /** What starts it beside the runners of tests: a Makefile, a workflow. */
  startedBy?: string | null;
  /** Whether some of these files of the project would be ignored. */
  ignores: (patterns: string[]) => boolean;
}

/** The places of a changed file that is no readable code. */
export function accountOfFile(facts: FileFacts): AccountLine[] {
  const { file, before, after, named, isRead, noticed, used } = facts;
  const { path, part, change } = file;
  const line = (standing: AccountLine["standing"], why: string): AccountLine[] => [{ path, standing, why }];
  if (file.before?.kind === "link" || file.after?.kind === "link") return line("not-judged", "it is or was a link");
  const isTest = part === "test" || part === "test-support";
  if (isTest && facts.startedBy) return line("not-judged", `${facts.startedBy} starts it, and no run of the tests did`);
  if (change === "mode" && !isTest) return line("not-judged", "who may run it is another");
  if (isTest) return used ? line("inert", OF_TESTS) : line("not-judged", AS_BEFORE);
  const other = isManifest(path) ? changedFields(before, after, isRead) : otherSettings(path, before, after, isRead);
  if (part === "test-config" && steersOthers(path))
    return line("not-judged", "it steers more than tests, which ran as the base configures them");
  if (part === "test-config") {
    if (file.imported) return line("not-judged", "code imports it, and it is taken for settings of tests");
    if (other.length > 0) return line("not-judged", `nothing shows what ${listed(other)} of it does`);
    if (used) return line("inert", "it configures tests, which ran with it");
    return declaresOnly(path, before, after)
      ? line("inert", "no test runs otherwise with it")
      : line("not-judged", AS_BEFORE);
  }
  // Python finds a stub like any other file, and code may list its names.
  if (isTypes(path) && !(named && path.endsWith(".pyi")))
    return line("inert", "it holds types, which are gone when the program runs");
  if (part === "documentation" && !named) return line("inert", "it is documentation");
  if (basename(path) === ".gitignore" && facts.ignores(addedLines(before, after)))
    return line("not-judged", "it ignores files of the project, which packages then lack");
  if (FOR_PEOPLE.has(basename(path)) && !named) return line("inert", "only git and editors read it");
  // One that is new or gone makes other files another package.
  if (other.length === 0 && describes(path) && file.before && file.after)
    return line("inert", "it describes the package to people");
  if (noticed) return line("shown", "tests that turned green notice other values in it");
  if (other.length > 0) return line("not-judged", `nothing shows what ${listed(other)} of it does`);
  return line(
    "not-judged",
    file.after === null ? "it is gone, and nothing shows that nobody needs it" : decides(path) ? PACKAGES : NOTHING,
  );
}

export const OF_TESTS = "it belongs to the tests";
const AS_BEFORE = "it steers tests, which ran as the base has it: nothing shows what they say with it";
const NOTHING = "nothing shows what it does";
const PACKAGES = "it decides which dependencies are used, and nothing shows what they do";
const decides = (path: string): boolean => extname(path) === ".lock" || decidesPackages(path);

/** Code cannot come to depend on these. */
const FOR_PEOPLE = new Set([".gitignore", ".editorconfig", ".mailmap", ".git-blame-ignore-revs"]);

function addedLines(before: string | null, after: string | null): string[] {
  const known = new Set(before?.split(/\r?\n/));
  return (after ?? "").split(/\r?\n/).filter((line) => !known.has(line) && /^[^#!\s]/.test(line));
}

export const isTypes = (path: string): boolean => /\.d\.[cm]?ts$|\.pyi$/.test(path);

/** All that it holds was looked at, and what differs is for people. */
const describes = (path: string): boolean => isManifest(path) || basename(path) === "pyproject.toml";

const isManifest = (path: string): boolean => basename(path) === "package.json";

/** Settings that differ and are not about tests. */
function otherSettings(
  path: string,
  before: string | null,
  after: string | null,
  isRead: FileFacts["isRead"],
): string[] {
  if (!differsBesides(path, before, after)) return [];
  if (basename(path) !== "pyproject.toml") return ["the rest"];
  if (differsInDependencies(before, after)) return ["dependencies"];
  const asTested = before !== null && after !== null && sharedFile(path)?.restored(before, after);
  return (asTested && changedTables(before, asTested, isRead)) || ["the rest"];
}

const listed = (fields: readonly string[]): string => fields.map((field) => `\`${field}\``).join(", ");
