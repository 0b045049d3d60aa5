import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { call, roleOf } from "../scripted-goal.ts";
import { CrashRun, type Scenario } from "./scenario.ts";

const LESSON = "a sum is wrong where a minus stands for a plus";
const right = "def add(a, b):\n    return a + b\n";
const turns = {
  wrong: [call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a - b\n" })],
  right: [call("create_file", { path: "calc.py", content: right, overwrite: true })],
};

/** Red once, then green, and memory is written at both. */
const remembered: Scenario = {
  goal: "write add",
  flags: ["--direct", "--accept", "python3 check.py"],
  files: { "check.py": "from calc import add\nassert add(2, 3) == 5, 'the sum is wrong'\n" },
  env: { MIRACLE_MEMORY: "on" },
  script: (request) => {
    if (roleOf(request) === "reflector") {
      const said = { cause: "minus", hypothesis: "use +", next: "code", lesson: LESSON };
      return { toolCalls: [call("finish", said)] };
    }
    const turn = request.messages.filter((message) => message.role === "assistant").length;
    const later = request.messages[0]?.text.includes("Notes from earlier attempts");
    return { toolCalls: [turns[later ? "right" : "wrong"][turn] ?? call("finish", { summary: "done" })] };
  },
};

/** Everything memory holds, without what is another in every run. */
function memoryIn(database: string) {
  const db = new DatabaseSync(database, { readOnly: true, timeout: 10_000 });
  try {
    const all = (query: string) => db.prepare(query).all();
    return {
      lessons: all("select error_type, solution, fix_description, seen, status from failures"),
      recalls: all("select todo, iteration_num, cause, found, won from memory_recalls"),
      writes: all("select step, json_array_length(kept) as kept from memory_writes order by step"),
      entries: all("select count(*) as n from memory_entries e join memory_words w on w.rowid = e.number"),
      vectors: all("select v.model, count(*) as n from memory_vectors v join failures f group by v.model order by 1"),
    };
  } finally {
    db.close();
  }
}

/** Whether the first lesson is written when the run dies at this moment. */
async function isWrittenAt(moment: number): Promise<boolean> {
  await using run = await CrashRun.create(remembered);
  await killed(run, moment);
  return run.query("select 1 from failures").length > 0;
}

async function killed(run: CrashRun, moment: number): Promise<void> {
  const end = await run.start({ MIRACLE_FAULT: String(moment) });
  expect(end.signal, `moment ${moment}: ${end.stderr}`).toBe("SIGKILL");
}

/** Kills a run at this moment, and each that goes on from it after as many as are said. */
async function crashAt(moment: number, expected: ReturnType<typeof memoryIn>, stride = 0): Promise<void> {
  await using run = await CrashRun.create(remembered);
  await killed(run, moment);
  for (let kills = 0; kills < 40 && run.tasks().every(({ status }) => status === "running"); kills += 1) {
    const end = await run.goOn({ MIRACLE_FAULT: String(stride) });
    if (end.signal !== "SIGKILL") expect(end.code, `moment ${moment}: ${end.stderr}`).toBe(0);
  }
  expect(memoryIn(run.line.database), `moment ${moment}`).toEqual(expected);
  expect(run.files()["calc.py"]).toBe(right);
}

test("a run that remembers, killed along its way, remembers once and the same", async () => {
  const unharmed = await CrashRun.create(remembered);
  const moments = await unharmed.countMoments();
  const expected = memoryIn(unharmed.line.database);
  await unharmed[Symbol.asyncDispose]();
  const lesson = { error_type: "AssertionError", seen: 1, fix_description: LESSON };
  // For the project with its code, and for the person without.
  expect(expected.lessons).toMatchObject([lesson, { ...lesson, solution: null }]);
  expect(expected.recalls).toMatchObject([{ todo: "direct", iteration_num: 2, cause: "error", won: 1 }]);
  expect(expected.writes).toHaveLength(3);
  // Closer and closer to the moment that matters: memory has it, and the journal does not know.
  let [before, after] = [0, moments];
  while (after - before > 1) {
    const moment = Math.floor((before + after) / 2);
    if (await isWrittenAt(moment)) after = moment;
    else before = moment;
  }
  for (const moment of [before, after]) await crashAt(moment, expected);
  const stride = Math.floor(moments / 8);
  await crashAt(stride, expected, stride);
});
