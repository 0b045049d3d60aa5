import { z } from "zod";
import type { TestCase, TestOutcome } from "../../domain/evidence/test-report.ts";
import { readJson } from "../../domain/json.ts";
import type { CommandResult } from "../../sandbox/sandbox.ts";
import { clip, identify, type ReportLines } from "../report-lines.ts";

/** What we use of a line of `go test -json`. */
const GoLine = z.lazy(() =>
  z.object({
    Action: z.string(),
    Package: z.string().optional(),
    ImportPath: z.string().optional(),
    Test: z.string().optional(),
    Output: z.string().optional(),
    Elapsed: z.number().nonnegative().optional(),
  }),
);

interface Found {
  package: string;
  name: string;
  outcome: TestOutcome | null;
  ms: number;
  output: string;
}

const OUTCOMES: Record<string, TestOutcome> = { pass: "passed", fail: "failed", skip: "skipped" };
const MOST_TESTS = 20_000;
const MOST_OUTPUT = 200_000;

/**
 * Our own lines say in which file each test is; those of `go test` say how it went. `printed` is what a person would
 * have seen. Never throws: the code under test may have forged anything.
 */
export function readGoReport(
  text: string,
  { stderr }: Pick<CommandResult, "stderr">,
  asked: string[],
): ReportLines & { printed: string } {
  const files = new Map<string, string>();
  const found = new Map<string, Found>();
  const failed = new Set<string>();
  let ended = false;
  /** By package, because they run side by side. */
  const printed = new Map<string, string>();
  let size = 0;
  let built = stderr;
  for (const line of text.split("\n")) {
    const [word, ...rest] = line.split("\t");
    if (word === "listed") files.set(keyOf(rest[0] ?? "", rest[2] ?? ""), rest[1] ?? "");
    if (word === "ended") ended = true;
    // Before Go 1.24 what cannot be built is told in plain words.
    if (word === "FAIL") failed.add(/^(\S+) \[(?:build|setup) failed\]/.exec(rest[0] ?? "")?.[1] ?? "");
    const read = GoLine.safeParse(parse(line));
    if (!read.success) continue;
    const { Action: action, Package: inPackage = "", Test: name, Output: output = "", Elapsed: seconds } = read.data;
    if (size < MOST_OUTPUT) printed.set(inPackage, (printed.get(inPackage) ?? "") + output);
    size += output.length;
    if (action === "build-output") built += output;
    if (name === undefined) {
      if (action === "fail") failed.add(inPackage);
      continue;
    }
    const key = keyOf(inPackage, name);
    const test = found.get(key) ?? { package: inPackage, name, outcome: null, ms: 0, output: "" };
    if (found.size < MOST_TESTS) found.set(key, test);
    if (action === "output" && test.output.length < MOST_OUTPUT) test.output += output;
    const outcome = OUTCOMES[action];
    if (outcome) Object.assign(test, { outcome, ms: (seconds ?? 0) * 1000 });
  }
  const fileOf = ({ package: own, name }: Found) => files.get(keyOf(own, name.split("/")[0] ?? name)) ?? "";
  const isAsked = (file: string) => asked.length === 0 || asked.includes(file);
  const seen = [...found.values()].filter((test) => isAsked(fileOf(test)));
  // The test began and has no end, although the run was complete: a subtest ended the process.
  if (ended) for (const test of seen) test.outcome ??= "failed";
  const names = new Map<string, number>();
  const tests = seen.flatMap((test): TestCase[] => {
    if (test.outcome === null) return [];
    const message = test.outcome === "passed" ? "" : messageOf(test, seen);
    return [
      {
        ...identify(names, fileOf(test), test.name),
        outcome: test.outcome,
        durationMs: test.ms,
        message: clip(message),
      },
    ];
  });
  const ran = new Set(seen.map((test) => test.package));
  const silent = [...failed].filter((one) => !ran.has(one));
  const broken = [...files].flatMap(([key, file]) => (silent.includes(packageOf(key)) && isAsked(file) ? [file] : []));
  const errors = [...new Set(broken)].map((file): TestCase => {
    const message = built.trim() === "" ? "no test of this file ran" : withoutVarying(built.trim());
    return { ...identify(names, file, "file"), outcome: "error", durationMs: 0, message: clip(message) };
  });
  const running = seen.filter(({ outcome }) => outcome === null).map((one) => ({ file: fileOf(one), name: one.name }));
  return { tests: [...tests, ...errors].sort(inFiles), running, ended, printed: withoutVarying(inOrder(printed)) };
}

const keyOf = (inPackage: string, name: string): string => `${inPackage}\0${name}`;
const packageOf = (key: string): string => key.slice(0, key.indexOf("\0"));

const inOrder = (texts: Map<string, string>): string =>
  [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text)
    .join("");

/** Packages run side by side; within a file the order stays. */
const inFiles = (a: TestCase, b: TestCase): number => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0);

/** A test that fails through its subtests reports their messages. */
function messageOf(test: Found, all: Found[]): string {
  const parts = all.filter((one) => one.package === test.package && one.name.startsWith(`${test.name}/`));
  const failed = parts.filter(({ outcome }) => outcome === "failed").map(({ output }) => output);
  return withoutVarying([test.output, ...failed].join(""))
    .split("\n")
    .filter((line) => !/^\s*(=== (RUN|PAUSE|CONT|NAME)|--- (FAIL|SKIP|PASS):)/.test(line))
    .join("\n")
    .trim();
}

/** Removes addresses, numbers of goroutines, times, and the frames of Go itself. */
function withoutVarying(text: string): string {
  return text
    .replace(/^\S.*\n\t(?!\/workspace\/)\/\S+\.go:\d+( \+0x[0-9a-f]+)?\n?/gm, "")
    .replace(/ \+0x[0-9a-f]+$/gm, "")
    .replace(/\(0x[0-9a-f]+\??(, 0x[0-9a-f]+\??|, \.\.\.|\.\.\.)*\)/g, "(…)")
    .replace(/^goroutine \d+/gm, "goroutine")
    .replace(/^(\s*--- (?:PASS|FAIL|SKIP): .*) \(\d+\.\d+s\)$/gm, "$1")
    .replace(/^((?:ok|FAIL)\s+\S+)\s+(\d+\.\d+s|\(cached\))/gm, "$1")
    .replace(/^exit status \d+\n/gm, "");
}

const parse = (line: string): unknown => (line.startsWith("{") ? readJson(line) : undefined);
