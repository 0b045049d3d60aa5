import { sha256 } from "../../journal/hash.ts";
import { settingText, sharedFile } from "./test-settings.ts";

/** Files that steer how tests are found, run and judged, and nothing else. */
const TESTS_ALONE = [
  // Python
  /(^|\/)conftest\.py$/,
  /(^|\/)\.?pytest\.(ini|toml)$/,
  /(^|\/)\.coveragerc$/,
  // JavaScript
  /(^|\/)(jest|vitest|ava|karma|wdio|playwright|cypress|web-test-runner)\.(config|conf|workspace|setup)\.[cm]?[jt]sx?$/,
  /(^|\/)jest\.config\.json$/,
  /(^|\/)\.mocharc(\.[a-z]+)?$/,
  /(^|\/)\.(nycrc|c8rc|taprc)(\.[a-z]+)?$/,
];

/** They steer tests as well as something else: what every program loads, releases, how delivered code is built. */
const ALSO_OTHERS = [
  /(^|\/)(site|user)customize\.py$/,
  /\.pth$/,
  /(^|\/)noxfile\.py$/,
  // Found beside the modules of the project, it names plugins that the runner loads by itself
  /\.(dist|egg)-info\/entry_points\.txt$/,
  // Found before the runner's own modules of that name; a folder without an `__init__.py` is not
  /^(src\/)?(pytest|_pytest|pluggy|iniconfig|unittest|doctest|hypothesis|pytest_\w+|py)(\.py|\/__init__\.py)$/,
  /(^|\/)(vite|babel)\.(config|conf|workspace|setup)\.[cm]?[jt]sx?$/,
  /(^|\/)\.babelrc(\.[a-z]+)?$/,
];

const WHOLE = [...TESTS_ALONE, ...ALSO_OTHERS];

export const isTestConfig = (path: string): boolean => isWholeConfig(path) || sharedFile(path) !== undefined;

export const isWholeConfig = (path: string): boolean => WHOLE.some((pattern) => pattern.test(path));

/** Whether it has a say outside of tests, too: then it is more than a setting of theirs. */
export const steersOthers = (path: string): boolean => ALSO_OTHERS.some((pattern) => pattern.test(path));

/** What stands beside tests and decides what they mean: fixtures, stored answers, doubles. */
export const isTestSupport = (path: string): boolean =>
  /(^|\/)(tests?|testing|testdata|__tests__|__snapshots__|__mocks__|__fixtures__|fixtures|specs?)\//.test(path) ||
  /(^|[/_.-])(test|tests|testing|fixtures?|mocks?|assertions?)([_-]?(utils?|helpers?|support|tools?|lib))?\.[a-z]+$/.test(
    path,
  ) ||
  /\.snap$/.test(path);

/** The hash of a locked file or field. */
interface Lock {
  path: string;
  /** Of a file that is shared with other things: `scripts.test`, `tool.pytest.ini_options`. */
  field?: string;
  sha256: string;
}

/** The locks of one file; of a file that is about other things only its test-related fields, and all where nobody can read it. */
export function locksOf(path: string, content: string): Lock[] {
  const fields = isWholeConfig(path) ? null : (sharedFile(path)?.fields(content) ?? null);
  if (fields === null) return [{ path, sha256: sha256(content) }];
  return Object.entries(fields).map(([field, value]) => ({ path, field, sha256: sha256(settingText(value)) }));
}

interface LockChange {
  path: string;
  field?: string;
  change: "added" | "changed" | "removed";
}

/** What is locked differently now. */
export function lockChanges(before: Lock[], after: Lock[]): LockChange[] {
  const key = ({ path, field }: Lock) => `${path}\0${field ?? ""}`;
  const old = new Map(before.map((lock) => [key(lock), lock]));
  const now = new Map(after.map((lock) => [key(lock), lock]));
  const changes: LockChange[] = [];
  for (const [name, lock] of new Map([...old, ...now])) {
    const [a, b] = [old.get(name), now.get(name)];
    if (a?.sha256 === b?.sha256) continue;
    const { path, field } = lock;
    changes.push({ path, ...(field !== undefined && { field }), change: !a ? "added" : !b ? "removed" : "changed" });
  }
  return changes.sort((a, b) => (key2(a) < key2(b) ? -1 : 1));
}

const key2 = ({ path, field }: LockChange) => `${path}\0${field ?? ""}`;
