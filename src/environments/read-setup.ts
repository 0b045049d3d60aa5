import { sectionsOf } from "../languages/python/ini-sections.ts";
import { type Literal, literalOf } from "./python-literals.ts";
import { FOR_TESTS } from "./read-pyproject.ts";
import { isByName } from "./requirement-files.ts";

/** What the files of setuptools say, as far as it is written out. */
export interface SetupFile {
  lines: string[];
  /** Those of them that the project itself needs, and not only its tests. */
  own: string[];
  left: string[];
}

/** `install_requires` and the extras for tests of a setup.py. What it computes is left out and said. */
export function readSetupPy(text: string): SetupFile {
  const lists = ["install_requires", "tests_require", "extras_require"].map((name) => {
    const value = literalOf(text, name);
    const isThere = new RegExp(`\\b${name}\\s*=`).test(text);
    return { name, value, left: value === undefined && isThere ? [`setup.py: ${name} is computed`] : [] };
  });
  const raw = lists.flatMap(({ value }) => requirementsIn(value));
  return sorted(
    "setup.py",
    raw,
    requirementsIn(lists[0]?.value),
    lists.flatMap(({ left }) => left),
  );
}

function requirementsIn(value: Literal): string[] {
  if (value === undefined) return [];
  if (typeof value === "string") return linesOf(value);
  if (Array.isArray(value)) return value.flatMap(requirementsIn);
  return Object.entries(value).flatMap(([extra, list]) => (FOR_TESTS.test(extra) ? requirementsIn(list) : []));
}

/** `[options]` and `[options.extras_require]` of a setup.cfg. */
export function readSetupCfg(text: string): SetupFile {
  const sections = sectionsOf(text);
  const options = sections.get("options");
  const extras = [...(sections.get("options.extras_require") ?? [])].filter(([extra]) => FOR_TESTS.test(extra));
  const texts = [options?.get("install_requires"), options?.get("tests_require"), ...extras.map(([, list]) => list)];
  return sorted(
    "setup.cfg",
    texts.flatMap((value) => linesOf(value ?? "")),
    linesOf(texts[0] ?? ""),
    [],
  );
}

/** What tox installs for tests, by name: not what holds for some of its environments, and no files. */
export function readToxIni(text: string): SetupFile {
  const deps = linesOf(sectionsOf(text).get("testenv")?.get("deps") ?? "");
  return { lines: deps.filter(isByName), own: [], left: [] };
}

/**
 * What a noxfile installs in sessions that run pytest or unittest, by name. Nothing of it is run: options, files and what it
 * computes are left out.
 */
export function readNoxfile(text: string): SetupFile {
  const sessions = text.split(/^(?=@nox\.session\b)/m).slice(1);
  const ofTests = sessions.filter((body) => /["'](pytest|unittest)["']/.test(body));
  const calls = ofTests.flatMap((body) => [...body.matchAll(/\bsession\.install\(([^()]*)\)/g)]);
  const words = calls.flatMap(([, inside = ""]) =>
    [...inside.matchAll(/(["'])([^"'\n]*)\1/g)].map(([, , word = ""]) => word),
  );
  const lines = words.filter((word, index) => isByName(word) && !TAKES_FILE.test(words[index - 1] ?? ""));
  return { lines: [...new Set(lines)], own: [], left: [] };
}

const TAKES_FILE = /^(-r|--requirement|-c|--constraint|-e|--editable|--group|--only-group|--extra)$/;

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");

function sorted(path: string, raw: string[], own: string[], left: string[]): SetupFile {
  const lines = [...new Set(raw)];
  return {
    lines: lines.filter(isByName),
    own,
    left: [...left, ...lines.filter((line) => !isByName(line)).map((line) => `${path}: ${line}`)],
  };
}
