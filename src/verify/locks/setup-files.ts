import { posix } from "node:path";
import { parse as parseYaml } from "yaml";
import { readJson } from "../../domain/json.ts";
import { testCommandOf } from "../../languages/javascript/test-script.ts";
import { fieldOf, stringText, textOf, within } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import { iniSections } from "./ini-sections.ts";
import { RUNNER_KEYS, readToml, table } from "./test-settings.ts";

/** Settings whose values name files that runners load: what they do decides over every test. */
const SETUP_KEYS = new Set(
  (
    "setupFiles setupFilesAfterEnv setupFilesAfterEach globalSetup globalTeardown transform testEnvironment resolver " +
    "testRunner runner reporters snapshotSerializers testSequencer preset require import loader file environment " +
    "nodeArguments node-arg before plugin config extends sequencer testResultsProcessor moduleNameMapper"
  ).split(" "),
);

const CONFIG = /(^|\/)(\.mocharc|\.taprc|\.babelrc|(jest|vitest|vite|ava|babel)\.(config|workspace|setup))(\.\w+)?$/;

/** A tree, as far as it must be looked at. */
interface ReadTree {
  paths: readonly string[];
  read(path: string): string | null;
}

/** Files that a tree's test settings name and that are loaded into the runner: setup modules, loaders, plugins. */
export async function setupFiles(parsers: SyntaxParsers, tree: ReadTree): Promise<Set<string>> {
  const known = new Set(tree.paths);
  const found = new Set<string>();
  const add = (from: string, words: Iterable<string>) => {
    for (const word of words) for (const path of placesOf(from, word)) if (known.has(path)) found.add(path);
  };
  for (const path of tree.paths) {
    if (/(^|\/)node_modules\//.test(path)) continue;
    if (CONFIG.test(path)) add(path, await namedInConfig(parsers, path, tree.read(path) ?? ""));
    if (/(^|\/)package\.json$/.test(path)) add(path, namedInManifest(tree.read(path) ?? ""));
    if (/(^|\/)(conftest\.py|pyproject\.toml|pytest\.ini|\.pytest\.ini|tox\.ini|setup\.cfg)$/.test(path))
      for (const module of pluginsIn(path, tree.read(path) ?? ""))
        add("x", [`${module.replaceAll(".", "/")}.py`, `src/${module.replaceAll(".", "/")}.py`]);
  }
  return found;
}

function namedInManifest(text: string): string[] {
  const manifest = table(readJson(text));
  const words = (testCommandOf(text).script ?? "").split(/[\s'"=]+/);
  const loaded = words.filter((_, index) =>
    /^(-r|-c|--(require|import|loader|config|file|experimental-loader))$/.test(words[index - 1] ?? ""),
  );
  return [...RUNNER_KEYS.flatMap((key) => stringsUnder(manifest[key], false)), ...loaded];
}

async function namedInConfig(parsers: SyntaxParsers, path: string, text: string): Promise<string[]> {
  const grammar = grammarOf(path);
  if (grammar === null) return stringsUnder(readJson(text) ?? readYaml(text), false);
  const { root } = await parsers.parse(grammar, text);
  return [...within(root)].flatMap((node) => {
    const [key, value] = node.type === "pair" ? [fieldOf(node, "key"), fieldOf(node, "value")] : [];
    if (!key || !value || !SETUP_KEYS.has(textOf(text, key).replace(/["']/g, ""))) return [];
    return [...within(value)].flatMap((one) => stringText(text, one) ?? []);
  });
}

/** All strings below the keys that name what is loaded. */
function stringsUnder(value: unknown, isNamed: boolean): string[] {
  if (typeof value === "string") return isNamed ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => stringsUnder(one, isNamed));
  return Object.entries(table(value)).flatMap(([key, one]) => stringsUnder(one, isNamed || SETUP_KEYS.has(key)));
}

/** `-p plugin` among the options of pytest, and `pytest_plugins` of a conftest.py. */
function pluginsIn(path: string, text: string): string[] {
  if (path.endsWith(".py")) {
    const list = /^pytest_plugins\s*(?::[^=]*)?=\s*([[(][^\])]*[\])]|["'][^"']*["'])/m.exec(text)?.[1] ?? "";
    return [...list.matchAll(/["']([\w.]+)["']/g)].flatMap((match) => match[1] ?? []);
  }
  const pytest = table(table(table(readToml(text)?.tool).pytest).ini_options).addopts;
  const sections = path.endsWith(".toml") ? [] : iniSections(text).filter(({ name }) => /pytest$/.test(name));
  const options = [String(pytest ?? ""), ...sections.flatMap(({ lines }) => lines)].join(" ");
  return [...options.matchAll(/(?:^|[\s",=])-p[\s",=]*([\w.]+)/g)].flatMap((match) => match[1] ?? []);
}

const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", "/index.js", "/index.ts"];

/** Where a file of this name may be, seen from the settings that name it. */
function placesOf(from: string, word: string): string[] {
  const bare = word.replace(/^<rootDir>\/?|^ts-node\//, "");
  const path = posix.normalize(posix.join(posix.dirname(from), bare));
  return path.startsWith("..") || bare === "" ? [] : ENDINGS.map((ending) => path + ending);
}

function readYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    return undefined;
  }
}
