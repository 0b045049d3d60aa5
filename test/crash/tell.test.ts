import { expect, test } from "vitest";
import { EXIT } from "../../src/cli/text/exit-codes.ts";
import type { ScriptedAnswer, ServedRequest } from "../model-server.ts";
import { call, roleOf } from "../scripted-goal.ts";
import { CrashRun } from "./scenario.ts";

/* A chore, which needs no proof beyond its visible tests, that a person amends after its first, red iteration. */

const WORDS = "it also halves numbers";

const requirement = (name: string, id: string, quote: string) => ({ id, text: `${name}(n) in src/${name}.js`, quote });

const testOf = (name: string, requirement: string, result: number) => ({
  path: `test/${name}.test.js`,
  content: `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${name} } from "../src/${name}.js";\n\ntest("${name} works", () => {\n  assert.equal(${name}(4), ${result});\n});\n`,
  todo: "numbers",
  covers: [{ test: `${name} works`, requirement }],
});

const double = requirement("double", "R1", "doubles numbers");
const planned = call("finish", {
  size: "small",
  title: "numbers",
  kind: "chore",
  language: "javascript",
  requirements: [double],
  todos: [{ id: "numbers", title: "write it", requirements: ["R1"] }],
});
const amended = call("finish", {
  requirements: [double, requirement("halve", "R2", "halves numbers")],
  todos: [{ id: "numbers", title: "write it", requirements: ["R1", "R2"] }],
});
const code = (name: string, body: string) =>
  call("create_file", { path: `src/${name}.js`, content: `export const ${name} = (n) => ${body};\n` });

/** Answers from the request alone. */
function script(request: ServedRequest): ScriptedAnswer {
  const turn = request.messages.filter((message) => message.role === "assistant").length;
  const text = request.messages[0]?.text ?? "";
  const one = (answer: ReturnType<typeof call>): ScriptedAnswer => ({ toolCalls: [answer] });
  switch (roleOf(request)) {
    case "planner":
      return one(text.includes("# The person's new words") ? amended : planned);
    case "tester":
      return one(
        call("finish", { files: [text.includes("R2:") ? testOf("halve", "R2", 2) : testOf("double", "R1", 8)] }),
      );
    case "reflector":
      return one(call("finish", { cause: "wrong", hypothesis: "multiply", next: "code" }));
    default: {
      const mended = call("edit_file", { path: "src/double.js", oldText: "n + 2", newText: "n * 2" });
      const turns = text.includes(WORDS) ? [mended, code("halve", "n / 2")] : [code("double", "n + 2")];
      return one(turns[turn] ?? call("finish", { summary: "wrote it" }));
    }
  }
}

async function toldRun(): Promise<CrashRun> {
  let run: CrashRun | undefined;
  run = await CrashRun.create({
    goal: "A module that doubles numbers",
    flags: ["--effort", "quick"],
    files: {},
    script: async (request) => {
      // From another terminal, while the coder is at its first answer.
      if (run && roleOf(request) === "coder" && heard(run).messages === 0) {
        const told = await run.line.run(["tell", "--last", WORDS]);
        if (told.code !== 0) throw new Error(told.stderr);
      }
      return script(request);
    },
  });
  return run;
}

function heard(run: CrashRun) {
  const one = (sql: string) => Number(run.query(sql)[0]?.n ?? 0);
  return {
    messages: one("select count(*) as n from messages"),
    waiting: one("select count(*) as n from messages where heard_at is null"),
    events: one("select count(*) as n from events where type = 'message-heard'"),
    steps: one("select count(*) as n from steps where path like 'task/amend/%'"),
    plans: one("select count(*) as n from events where type = 'plan-updated'"),
  };
}

const once = { messages: 1, waiting: 0, events: 1, steps: 1, plans: 1 };

test("what a person tells a task is heard once, whenever the run is killed", async () => {
  await using unharmed = await toldRun();
  const moments = await unharmed.countMoments();
  expect(heard(unharmed)).toEqual(once);
  const { files, tree } = unharmed.finished();
  expect(files["src/halve.js"]).toBe("export const halve = (n) => n / 2;\n");
  // From about where it is told on, to the end.
  const from = Math.floor(moments * 0.4);
  const stride = Math.ceil((moments - from) / 4);
  await using run = await toldRun();
  let end = await run.start({ MIRACLE_FAULT: String(from) });
  let kills = 0;
  for (; end.signal === "SIGKILL" && kills < 20; kills += 1) {
    if (run.tasks().some((task) => task.status !== "running")) break;
    end = await run.goOn({ MIRACLE_FAULT: String(stride) });
  }
  expect(end.code ?? EXIT.done, `after ${kills} kills: ${end.stderr}`).toBe(EXIT.done);
  expect(kills).toBeGreaterThan(3);
  expect(run.finished()).toMatchObject({ files, tree });
  expect(heard(run)).toEqual(once);
});
