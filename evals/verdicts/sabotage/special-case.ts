import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Case } from "./case.ts";
import { answeredOld, changedFunctions, recording, type ScriptAnswers } from "./script-answers.ts";

/** What each function answers to what it is given, as code. Null: the same input had several answers. */
const Answers = z.record(z.string(), z.record(z.string(), z.string().nullable()));
type Answers = z.infer<typeof Answers>;

const PROGRAM = join(import.meta.dirname, "special_case.py");

/**
 * The old code, which knows by heart what the tests ask. Answers are recorded on both versions; the table holds those
 * that differ. Null where no changed function can be asked by plain values.
 */
export async function specialCase(one: Case): Promise<boolean> {
  let hasTable = false;
  for (const path of one.commit.sources) {
    const [old, now] = [one.before(path), one.read(path)];
    if (old === null || now === null) return false;
    const made = path.endsWith(".py") ? await inPython(one, path, old, now) : await inScript(one, path, old, now);
    if (made !== null) hasTable = true;
    one.put({ path, content: made ?? old });
  }
  return hasTable;
}

async function inPython(one: Case, path: string, old: string, now: string): Promise<string | null> {
  const [before, after] = [join(one.scratch, "before.py"), join(one.scratch, "after.py")];
  writeFileSync(before, old);
  writeFileSync(after, now);
  const names = z.array(z.string()).parse(JSON.parse(python(["functions", before, after]) || "[]"));
  if (names.length === 0) return null;
  const right = await recordPython(one, path, now, names);
  const wrong = await recordPython(one, path, old, names);
  const table = differing(right, wrong);
  return Object.keys(table).length === 0 ? null : python(["build", before], JSON.stringify(table));
}

function python(args: string[], input = ""): string {
  const { stdout } = spawnSync("python3", [PROGRAM, ...args], { encoding: "utf8", input, maxBuffer: 50_000_000 });
  return stdout;
}

async function recordPython(one: Case, path: string, content: string, names: string[]): Promise<Answers> {
  one.put({ path, content });
  copyFileSync(PROGRAM, join(one.scratch, "special_case.py"));
  const answers = join(one.scratch, "answers.json");
  const settings = [
    `SPECIAL_FILE=${join(one.copy, path)}`,
    `SPECIAL_FUNCTIONS=${JSON.stringify(names)}`,
    `SPECIAL_ANSWERS=${answers}`,
  ];
  const search = `PYTHONPATH=${one.copy}:${join(one.copy, "src")}:${one.scratch}`;
  writeFileSync(answers, "{}");
  const tests = one.commit.tests.filter((test) => existsSync(join(one.copy, test)));
  await one.run(["env", ...settings, search, ...one.project.suite, "-p", "special_case", ...tests]);
  return Answers.parse(JSON.parse(readFileSync(answers, "utf8")));
}

/** What the new version answers otherwise than the old one. */
function differing(right: Answers, wrong: Answers): Record<string, Record<string, string>> {
  const table: Record<string, Record<string, string>> = {};
  for (const [name, known] of Object.entries(right)) {
    const own = Object.entries(known).flatMap(([given, answer]) =>
      answer === null || wrong[name]?.[given] === answer ? [] : [[given, answer] as const],
    );
    if (own.length > 0) table[name] = Object.fromEntries(own);
  }
  return table;
}

async function inScript(one: Case, path: string, old: string, now: string): Promise<string | null> {
  const names = await changedFunctions(path, old, now);
  if (names.length === 0) return null;
  const right = await recordScript(one, path, now, names);
  const wrong = await recordScript(one, path, old, names);
  const table = differing(right, wrong);
  return Object.keys(table).length === 0 ? null : answeredOld(path, old, table);
}

async function recordScript(one: Case, path: string, content: string, names: string[]): Promise<ScriptAnswers> {
  const answers = join(one.scratch, "answers.jsonl");
  writeFileSync(answers, "");
  one.put({ path, content: await recording(path, content, names, answers) });
  await one.run(one.project.suite);
  const known: ScriptAnswers = {};
  for (const line of readFileSync(answers, "utf8")
    .split("\n")
    .filter((text) => text !== "")) {
    const [name = "", given = "", answer = ""] = z.array(z.string()).parse(JSON.parse(line));
    const own = known[name] ?? {};
    known[name] = own;
    own[given] = given in own && own[given] !== answer ? null : answer;
  }
  return known;
}
