import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { canonicalJson, readJson } from "../../domain/json.ts";
import { scriptsOfTests } from "../../languages/javascript/test-script.ts";
import { iniSections, iniValues } from "./ini-sections.ts";

type Table = Record<string, unknown>;

/** A kind of file in which some settings are about tests and all others about something else. */
interface SharedFile {
  name: RegExp;
  /** What it says of tests, by field. Null: it cannot be read. */
  fields(text: string): Record<string, unknown> | null;
  /** `after` with what `before` says of tests, and nothing else of it. Both can be read. */
  restored(before: string, after: string): string;
}

const SHARED: SharedFile[] = [
  { name: /(^|\/)package\.json$/, fields: packageFields, restored: restoredPackage },
  { name: /(^|\/)pyproject\.toml$/, fields: tomlFields, restored: restoredToml },
  iniFile(/(^|\/)setup\.cfg$/, /^(tool:pytest|coverage:.*|aliases)$/),
  iniFile(/(^|\/)tox\.ini$/, /^(pytest|testenv.*|tox|coverage:.*)$/),
];

/** Names of the fields about tests: `scripts.test`, `tool.pytest.ini_options`. */
export const testFields = (path: string, text: string | null): string[] =>
  Object.keys((text === null ? null : sharedFile(path)?.fields(text)) ?? {});

/** Whether a file that also configures tests differs in something else; what cannot be read does. */
export function differsBesides(path: string, before: string | null, after: string | null): boolean {
  const shared = sharedFile(path);
  if (!shared) return false;
  const rest = (text: string | null) => {
    if (text === null) return "";
    return shared.fields(text) === null ? null : meaningOf(path, shared.restored("", text));
  };
  const [old, now] = [rest(before), rest(after)];
  return old === null || now === null ? before !== after : old !== now;
}

function meaningOf(path: string, text: string): string {
  if (path.endsWith(".json"))
    return settingText({ ...table(readJson(text)), scripts: nonEmpty(table(readJson(text)).scripts) });
  if (path.endsWith(".toml")) return settingText({ ...readToml(text), tool: nonEmpty(readToml(text)?.tool) });
  return iniSections(text)
    .flatMap((section) => [section.name, ...iniValues(section)])
    .join("\n");
}

/** A table without anything in it is as good as none. */
const nonEmpty = (value: unknown): unknown => (Object.keys(table(value)).length === 0 ? null : value);

export const sharedFile = (path: string): SharedFile | undefined => SHARED.find(({ name }) => name.test(path));

/** The runners' own keys of a package.json. Everything else there (`type`, `exports`, `imports`) is code. */
export const RUNNER_KEYS = ["jest", "vitest", "mocha", "ava", "tap", "nyc", "c8", "babel", "uvu"];

const isTestScript = (name: string) => /^(pre|post)?test($|:)/.test(name);

/** Every script that the test script runs decides how tests run, whatever it is called. */
function packageFields(text: string): Record<string, unknown> | null {
  const value = readJson(text);
  if (!isTable(value)) return null;
  const scripts = table(value.scripts);
  const names = new Set([...scriptsOfTests(text), ...Object.keys(scripts).filter(isTestScript)]);
  return Object.fromEntries([
    ...[...names].sort().map((name) => [`scripts.${name}`, scripts[name]]),
    ...RUNNER_KEYS.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]])),
  ]);
}

function restoredPackage(before: string, after: string): string {
  const [old, now] = [table(readJson(before)), table(readJson(after))];
  const [oldScripts, nowScripts] = [table(old.scripts), table(now.scripts)];
  const judging = new Set(scriptsOfTests(before));
  const isTest = (name: string) => isTestScript(name) || judging.has(name);
  const scripts = Object.fromEntries([
    ...Object.entries(nowScripts).filter(([name]) => !isTest(name)),
    ...Object.entries(oldScripts).filter(([name]) => isTest(name)),
  ]);
  const merged: Table = { ...now, scripts };
  for (const key of RUNNER_KEYS) {
    if (old[key] === undefined) delete merged[key];
    else merged[key] = old[key];
  }
  return `${JSON.stringify(merged, null, 2)}\n`;
}

/** `tool.pytest` and its like, however they are written: as a table, a dotted key, an inline table. */
const TEST_TOOLS = ["pytest", "coverage", "tox", "pytest-asyncio", "pytest-env"];

function tomlFields(text: string): Record<string, unknown> | null {
  const value = readToml(text);
  if (!value) return null;
  const tool = table(value.tool);
  const fields = TEST_TOOLS.flatMap((name) => {
    const own = tool[name];
    if (own === undefined) return [];
    return isTable(own)
      ? Object.entries(own).map(([key, one]) => [`tool.${name}.${key}`, one])
      : [[`tool.${name}`, own]];
  });
  const envs = table(tool.hatch).envs;
  return Object.fromEntries([...fields, ...(envs === undefined ? [] : [["tool.hatch.envs", envs]])]);
}

function restoredToml(before: string, after: string): string {
  const [old, now] = [table(table(readToml(before)).tool), readToml(after) ?? {}];
  const tool: Table = { ...table(now.tool) };
  for (const name of TEST_TOOLS) {
    if (old[name] === undefined) delete tool[name];
    else tool[name] = old[name];
  }
  const envs = table(old.hatch).envs;
  const { envs: _, ...hatch } = table(tool.hatch);
  if (isTable(tool.hatch) || envs !== undefined) tool.hatch = { ...hatch, ...(envs !== undefined && { envs }) };
  return stringifyToml({ ...now, ...(Object.keys(tool).length > 0 || now.tool !== undefined ? { tool } : {}) });
}

function iniFile(name: RegExp, wanted: RegExp): SharedFile {
  const own = (text: string, isTest: boolean) => iniSections(text).filter((one) => wanted.test(one.name) === isTest);
  return {
    name,
    fields: (text) => Object.fromEntries(own(text, true).map((section) => [section.name, iniValues(section)])),
    restored(before, after) {
      const lines = [...own(after, false), ...own(before, true)].map((section) => section.lines.join("\n").trimEnd());
      return `${lines.filter((text) => text !== "").join("\n\n")}\n`;
    },
  };
}

export function readToml(text: string): Table | null {
  try {
    return table(parseToml(text));
  } catch {
    return null;
  }
}

/** The same text for the same settings, whatever their order; dates as they are written. */
export const settingText = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value ?? null)));

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const table = (value: unknown): Table => (isTable(value) ? value : {});
