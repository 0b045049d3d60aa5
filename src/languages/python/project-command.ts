import { posix } from "node:path";
import { steersTools } from "../../domain/settings/environment-file.ts";
import { WORKSPACE } from "../../sandbox/sandbox.ts";
import type { RunnerArguments } from "../language.ts";
import { sectionsOf } from "./ini-sections.ts";

type Read = (path: string) => string | null;
type Call = Pick<RunnerArguments, "options" | "places">;

/**
 * What the project's own command for its tests tells pytest: in tox.ini, a pyproject.toml with tox in it, or noxfile.py. Nothing
 * of them is run.
 */
export function projectCommand(read: Read): RunnerArguments {
  const { calls, env } = ofTox(toxIn(read)) ?? ofNox(read("noxfile.py") ?? "") ?? { calls: [], env: {} };
  const { options, places } = chosen(calls);
  const more = places.length === 0 && !options.includes("-o") && isTestsAtRoot(read) ? [...USUAL] : [];
  return { options: [...options, ...more], places, env };
}

/** The one that runs everything; otherwise those that are told the least beside their places. */
function chosen(calls: readonly Call[]): Call {
  const whole = calls.find(({ places }) => places.length === 0);
  if (whole) return whole;
  const [first, ...others] = calls.toSorted((one, other) => one.options.length - other.options.length);
  const alike = others.filter(({ options }) => options.join("\0") === first?.options.join("\0"));
  const places = [first ?? [], ...alike].flat().flatMap((call) => call.places);
  return { options: first?.options ?? [], places: [...new Set(places)] };
}

/** pytest does not look for a `test.py`; unittest does, and so do people. */
const USUAL = ["-o", `python_files=test_*.py *_test.py ${WORKSPACE}/test.py`] as const;

function isTestsAtRoot(read: Read): boolean {
  const isSaid = SETTINGS.some((path) => /^\s*["']?(testpaths|python_files)\b/m.test(read(path) ?? ""));
  return !isSaid && HOLDS_TESTS.test(read("test.py") ?? "");
}

const SETTINGS = ["pytest.ini", ".pytest.ini", "pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg"];
const HOLDS_TESTS = /^\s*def test|^class \w+\(.*\bTestCase\b/m;

interface Commands {
  calls: Call[];
  env: Record<string, string>;
}

const toxIn = (read: Read): string =>
  read("tox.ini") || (/\blegacy_tox_ini\s*=\s*("""|''')([\s\S]*?)\1/.exec(read("pyproject.toml") ?? "")?.[2] ?? "");

/** Of the environments that tests have: what all of them have, or the first that runs any. */
function ofTox(text: string): Commands | null {
  const sections = sectionsOf(text);
  const names = [...sections.keys()].filter((name) => /^testenv(:|$)/.test(name));
  for (const name of ["testenv", ...names.filter((one) => FOR_TESTS.test(one))]) {
    const section = sections.get(name);
    const calls = linesOf(section?.get("commands") ?? "").flatMap((line) => callOf(wordsOf(substituted(line))) ?? []);
    if (calls.length > 0) return { calls, env: variablesIn(section?.get("setenv") ?? section?.get("set_env") ?? "") };
  }
  return null;
}

const FOR_TESTS = /^testenv:(py|tests?\b|unit)/;

const linesOf = (text: string): string[] =>
  text
    .replace(/\\\n/g, " ")
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/^[\w{},.!-]+:\s+/, "")
        .replace(/^[-!]\s*(?=\w|\{)/, ""),
    )
    .filter((line) => line !== "" && !line.startsWith("#"));

/** Where the project would be installed, its sources stand here. */
const PACKAGES = "@packages/";

const substituted = (line: string): string =>
  line
    .replace(/\{posargs:?([^{}]*)\}/g, "$1")
    .replace(/\{(?:envpython|env_python|py_dot_ver)\}|\{env_?bin_?dir\}\/python\S*/g, "python")
    .replace(/\{(?:toxinidir|tox_root)\}/g, ".")
    .replace(/\{(?:envsitepackagesdir|env_site_packages_dir)\}\//g, PACKAGES);

function variablesIn(text: string): Record<string, string> {
  const pairs = text.split("\n").flatMap((line): [string, string][] => {
    const [, name, value = ""] = /^([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line.trim()) ?? [];
    return name === undefined || steersTools(name) || /[{}]/.test(value) ? [] : [[name, value]];
  });
  return Object.fromEntries(pairs);
}

/** The first session that is named for tests and runs them, or the first that runs any. */
function ofNox(text: string): Commands | null {
  const sessions = text.split(/^(?=@nox\.session\b)/m).filter((part) => part.startsWith("@"));
  const found = sessions.flatMap((body) => {
    const runs = [...body.matchAll(/\bsession\.run\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g)];
    const calls = runs.flatMap(([, inside = ""]) => callOf(stringsIn(inside)) ?? []);
    return calls.length > 0 ? [{ isNamed: /^def \w*test/m.test(body), calls }] : [];
  });
  const session = found.find(({ isNamed }) => isNamed) ?? found[0];
  return session ? { calls: session.calls, env: {} } : null;
}

/** What is written out as arguments; what has a name is left out. */
const stringsIn = (call: string): string[] =>
  [...call.replace(/\b\w+\s*=(?!=)\s*(\{[^}]*\}|\[[^\]]*\]|[^,]*)/g, "").matchAll(/(["'])([^"'\n]*)\1/g)].map(
    ([, , word = ""]) => word,
  );

/** As a shell splits it, without anything that a shell would put in. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));

/** Null where it runs no tests, or not in a way that is known here. */
function callOf(words: readonly string[]): Call | null {
  const [first = "", ...rest] = words;
  const program = posix.basename(first);
  if (/^(py\.test|pytest(-3)?)$/.test(program)) return pytestCall(rest);
  if (program === "coverage") return rest[0] === "run" ? started(rest.slice(1), COVERAGE_VALUED) : null;
  if (/^(poetry|pdm|uv|hatch|pipenv|rye)$/.test(program) && rest[0] === "run") return callOf(rest.slice(1));
  return /^python(\d(\.\d+)?)?$/.test(program) ? started(rest, /^-[XW]$/) : null;
}

const COVERAGE_VALUED = /^--(source|source-pkgs|rcfile|omit|include|context|concurrency|data-file)$/;

/** What an interpreter is told to run: a module or a file, behind options of its own. */
function started(words: readonly string[], valued: RegExp): Call | null {
  const [first = "", second = "", ...rest] = words;
  if (first === "-m") {
    if (second === "pytest") return pytestCall(rest);
    if (second === "unittest") return unittestCall(rest);
    return callOf([second, ...rest]);
  }
  if (first.startsWith("-")) return started(words.slice(valued.test(first) ? 2 : 1), valued);
  return /^tests?([_-]?\w*)?\.py$/.test(posix.basename(first)) ? { options: [], places: placesOf(first) } : null;
}

/**
 * pytest's own: those of plugins are no use where a plugin is not there. Examples in docstrings are run where pytest's settings
 * ask for them: what the tests are would otherwise stand in the code that they judge.
 */
const KEPT_VALUED = /^(-k|-m|-o|--override-ini|--deselect|--ignore|--ignore-glob|--import-mode|-W|--pythonwarnings)$/;
const DROPPED_VALUED =
  /^(-n|--doctest-glob|--doctest-report|-c|-p|-r|--(numprocesses|maxprocesses|maxfail|cov|cov-report|cov-config|cov-fail-under|cov-context|junit-?xml|basetemp|rootdir|config-file|confcutdir|tb|durations|durations-min|timeout|dist|tx|html|log-level|log-cli-level|log-file|color|capture|hypothesis-profile|hypothesis-seed|reruns|count|verbosity))$/;

function pytestCall(words: readonly string[]): Call {
  const options: string[] = [];
  const places: string[] = [];
  const byName = words.includes("--pyargs");
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const [name = ""] = word.split("=");
    const isAttached = word.startsWith("--") && word.includes("=");
    if (KEPT_VALUED.test(name)) {
      const option = words.slice(index, isAttached ? index + 1 : index + 2);
      index += option.length - 1;
      // What is computed is not known.
      if (!option.some((part) => /[{}]/.test(part))) options.push(...option);
    } else if (DROPPED_VALUED.test(word)) index += words[index + 1]?.startsWith("-") ? 0 : 1;
    else if (!word.startsWith("-")) places.push(...(byName ? ofModule(word) : placesOf(word)));
  }
  return { options, places };
}

/** unittest takes other files for tests than pytest. */
function unittestCall(words: readonly string[]): Call {
  const given: Record<string, string> = {};
  const names: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const [, long, value] = /^--(start-directory|pattern|top-level-directory)(?:=(.*))?$/.exec(word) ?? [];
    if (/^-[spt]$/.test(word) || (long !== undefined && value === undefined))
      given[(long ?? word.slice(1)).charAt(0)] = words[++index] ?? "";
    else if (long !== undefined) given[long.charAt(0)] = value ?? "";
    else if (word === "-k") index += 1;
    else if (!word.startsWith("-")) names.push(word);
  }
  if (names.length > 0 && names[0] !== "discover") return { options: [], places: names.flatMap(ofModule) };
  const [, start = given.s ?? ".", pattern = given.p ?? "test*.py"] = names;
  const places = placesOf(start).filter((place) => place !== ".");
  // Found from the root are packages alone: more than the usual names would be too many.
  const files = places.length > 0 || pattern !== "test*.py" ? pattern : "test_*.py *_test.py test.py tests.py";
  return { options: ["-o", `python_files=${files}`], places };
}

/** Of `a.b.Class.test`, the places where the module may be. */
function ofModule(name: string): string[] {
  if (/[/]|\.py$/.test(name)) return placesOf(name);
  const path = name.replace(/\.[A-Z].*$/, "").replaceAll(".", "/");
  return [`${path}.py`, path, `src/${path}`].flatMap(placesOf);
}

function placesOf(word: string): string[] {
  if (word.startsWith(PACKAGES)) {
    const inside = word.slice(PACKAGES.length);
    return [inside, `src/${inside}`].flatMap(placesOf);
  }
  const path = posix.normalize(word).replace(/(.)\/$/, "$1");
  return word === "" || /[{}$*?[\]]/.test(word) || /^(\/|\.\.(\/|$))/.test(path) ? [] : [path];
}
