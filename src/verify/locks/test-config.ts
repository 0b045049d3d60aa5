import { readJson } from "../../domain/json.ts";
import { sha256 } from "../../journal/hash.ts";

/** Files that steer how tests are found, run and judged, whole or in part. */
const WHOLE = [
  // Python
  /(^|\/)conftest\.py$/,
  /(^|\/)\.?pytest\.(ini|toml)$/,
  /(^|\/)(site|user)customize\.py$/,
  /\.pth$/,
  /(^|\/)\.coveragerc$/,
  /(^|\/)noxfile\.py$/,
  // Found beside the modules of the project, it names plugins that the runner loads by itself
  /\.(dist|egg)-info\/entry_points\.txt$/,
  // Found before the runner's own modules of that name
  /^(src\/)?(pytest|_pytest|pluggy|iniconfig|unittest|doctest|hypothesis|pytest_\w+|py)(\.py$|\/)/,
  // JavaScript
  /(^|\/)(jest|vitest|vite|ava|karma|wdio|playwright|cypress|web-test-runner|babel)\.(config|conf|workspace|setup)\.[cm]?[jt]sx?$/,
  /(^|\/)jest\.config\.json$/,
  /(^|\/)\.mocharc(\.[a-z]+)?$/,
  /(^|\/)\.(nycrc|c8rc|taprc|babelrc)(\.[a-z]+)?$/,
  // What a snapshot holds at all
  /^\.miracleignore$/,
];

/** A file in which only some fields are about tests. */
const SHARED: { name: RegExp; fields: (text: string) => Record<string, string> }[] = [
  { name: /(^|\/)package\.json$/, fields: packageFields },
  { name: /(^|\/)pyproject\.toml$/, fields: (text) => sections(text, /^tool\.(pytest|coverage|tox|hatch\.envs)\b/) },
  { name: /(^|\/)setup\.cfg$/, fields: (text) => sections(text, /^(tool:pytest|coverage:|aliases$)/) },
  { name: /(^|\/)tox\.ini$/, fields: (text) => sections(text, /^(pytest|testenv|tox|coverage:)/) },
];

export const isTestConfig = (path: string): boolean =>
  isWholeConfig(path) || SHARED.some(({ name }) => name.test(path));

export const isWholeConfig = (path: string): boolean => WHOLE.some((pattern) => pattern.test(path));

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

/** The locks of one file; of a file that is about other things only its test-related fields. */
export function locksOf(path: string, content: string): Lock[] {
  if (isWholeConfig(path)) return [{ path, sha256: sha256(content) }];
  const shared = SHARED.find(({ name }) => name.test(path));
  if (!shared) return [{ path, sha256: sha256(content) }];
  return Object.entries(shared.fields(content)).map(([field, text]) => ({ path, field, sha256: sha256(text) }));
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

/** Scripts that run before, as or after the tests, and the runners' own keys. */
const RUNNER_KEYS = ["jest", "vitest", "mocha", "ava", "tap", "nyc", "c8", "babel"];

function packageFields(text: string): Record<string, string> {
  const manifest = record(readJson(text));
  const scripts = record(manifest.scripts);
  const fields: Record<string, string> = {};
  for (const [name, script] of Object.entries(scripts)) {
    if (/^(pre|post)?test($|:)/.test(name)) fields[`scripts.${name}`] = JSON.stringify(script);
  }
  for (const key of RUNNER_KEYS) if (manifest[key] !== undefined) fields[key] = JSON.stringify(manifest[key]);
  return fields;
}

/** Whether a field of a `package.json` is about tests: `jest`, `scripts.test`. */
export const isTestField = (name: string): boolean =>
  RUNNER_KEYS.includes(name) || /^scripts\.(pre|post)?test($|:)/.test(name);

/** `after` with the test-related fields of `before`: to run new code as the old manifest would have it tested. */
export function withTestFieldsOf(before: string, after: string): string {
  const [old, now] = [record(readJson(before)), record(readJson(after))];
  const isTestScript = (name: string) => /^(pre|post)?test($|:)/.test(name);
  const scripts = Object.entries(record(now.scripts)).filter(([name]) => !isTestScript(name));
  const kept = Object.entries(record(old.scripts)).filter(([name]) => isTestScript(name));
  const merged: Record<string, unknown> = { ...now, scripts: Object.fromEntries([...scripts, ...kept]) };
  for (const key of RUNNER_KEYS) {
    if (old[key] === undefined) delete merged[key];
    else merged[key] = old[key];
  }
  return `${JSON.stringify(merged, null, 2)}\n`;
}

/** The sections of an INI or TOML file whose names match, as text without comments and blank lines. */
function sections(text: string, wanted: RegExp): Record<string, string> {
  const found: Record<string, string[]> = {};
  let current = "";
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const header = /^\[{1,2}\s*([A-Za-z0-9_:."' -]+?)\s*\]{1,2}(\s*#.*)?$/.exec(line)?.[1];
    if (header !== undefined) {
      current = header.replace(/["'\s]/g, "");
      if (wanted.test(current)) found[current] ??= [];
      continue;
    }
    // TOML also knows `tool.pytest.ini_options.addopts = …` outside of its section.
    const dotted = `${current === "" ? "" : `${current}.`}${line.split("=")[0]?.replace(/["'\s]/g, "") ?? ""}`;
    if (wanted.test(current)) found[current]?.push(line);
    else if (line.includes("=") && wanted.test(dotted)) found[dotted] = [line];
  }
  return Object.fromEntries(Object.entries(found).map(([name, lines]) => [name, lines.join("\n")]));
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
