import { expect, test } from "vitest";
import type { RunOptions } from "../src/app/run-options.ts";
import type { TaskRequest } from "../src/domain/task/task.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { addGoal, byRole, call, roleOf, type ScriptedRoles } from "./scripted-goal.ts";

/*
 * What no test of a requirement notices and no requirement asks for is not delivered without a question, whoever
 * wrote the rest well.
 */

const GOAL = "Write a module that adds two numbers";
const file = (name: string, content: string, heldOut: boolean) => ({
  path: `tests/${name}.py`,
  content,
  ...(heldOut && { heldOut }),
  todo: "add",
  covers: [{ test: name, requirement: "R1" }],
});
const adds = (name: string, a: number, b: number, heldOut: boolean) =>
  file(name, `from calc import add\n\n\ndef ${name}():\n    assert add(${a}, ${b}) == ${a + b}\n`, heldOut);
const tester = [call("finish", { files: [adds("test_adds", 2, 3, false), adds("test_unseen", 2031, 17, true)] })];
const write = (path: string, content: string) => call("create_file", { path, content, overwrite: true });
const done = call("finish", { summary: "done" });
const CODE = "def add(a, b):\n    return a + b\n";
const right = write("calc.py", CODE);
const WORKFLOW = ".github/workflows/ci.yml";
const workflow = write(WORKFLOW, "on: push\njobs: {}\n");
const remove = call("run_command", { command: "rm -r .github" });

interface Asked {
  request?: Partial<TaskRequest>;
  options?: Partial<RunOptions>;
  files?: Record<string, string>;
}

async function run(coder: ScriptedRoles["coder"], { request, options, files = {} }: Asked = {}) {
  const builder = await AppBuilder.create(byRole({ ...addGoal, tester, coder }), files);
  const app = await builder.open();
  const end = await builder.start(app, { goal: GOAL, ...request }, builder.settings(), options);
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  const account = Object.fromEntries((evidence?.account ?? []).map((line) => [line.path, line]));
  const told = builder.server.requests
    .filter((sent) => roleOf(sent) === "coder")
    .map((sent) => JSON.stringify(sent.body))
    .join("\n");
  const status = end.ended === "settled" ? end.outcome.status : end.ended;
  const message = end.ended === "settled" && end.outcome.status === "not-proven" ? end.outcome.failure.message : "";
  return { app, builder, end, account, told, status, message };
}

test("a workflow that nobody asked for goes back to the coder once, and the change is proven without it", async () => {
  const { app, builder, end, account, told, status } = await run([right, workflow, done, remove, done]);
  expect(status).toBe("proven");
  expect(told).toContain(`${WORKFLOW}: nothing shows what it does`);
  expect(Object.keys(account)).toEqual(["calc.py"]);
  expect(account["calc.py"]).toMatchObject({ unit: "add", standing: "shown" });
  expect(Object.keys(builder.files())).toEqual(["calc.py", "tests/test_adds.py"]);
  const replayed = await replayTask(await app.recording(end.task), openLanguages());
  expect(replayed).toMatchObject({ ended: "same", outcome: { status: "proven" } });
});

test("one that the coder keeps is not delivered, whatever else was answered with yes", async () => {
  const yes = { subjects: ["diff", "question"] as const, words: "--yes", wait: false, findings: false };
  const { builder, account, status, message } = await run([right, workflow, done, done], { options: { approve: yes } });
  expect(status).toBe("not-proven");
  expect(message).toContain(`nothing shows ${WORKFLOW}`);
  expect(message).toContain(`--leave '${WORKFLOW}'`);
  expect(account[WORKFLOW]).toMatchObject({ standing: "not-judged" });
  expect(builder.files()).toEqual({});
});

test("it is delivered where the person says so: by a flag, or when asked", async () => {
  const flagged = await run([right, workflow, done], { request: { leave: [".github/"] } });
  expect(flagged.status).toBe("proven");
  expect(flagged.account[WORKFLOW]).toMatchObject({ standing: "not-judged", left: true });
  const questions: string[] = [];
  const ask: RunOptions["ask"] = async ({ detail }) => {
    questions.push(detail);
    return { granted: true, by: "ann", reason: "" };
  };
  const asked = await run([right, workflow, done, done], { options: { ask } });
  expect(asked.status).toBe("proven");
  expect(questions).toEqual([expect.stringContaining(WORKFLOW)]);
  expect(asked.account[WORKFLOW]).toMatchObject({ left: true });
});

test("a file that the goal names needs no test, and documents need neither", async () => {
  const goal = `${GOAL}, with a workflow in ${WORKFLOW}`;
  const { status, account } = await run([right, workflow, write("README.md", "# Numbers\n"), done], {
    request: { goal },
  });
  expect(status).toBe("proven");
  expect(account[WORKFLOW]).toMatchObject({ standing: "not-judged", explained: "the goal names it" });
  expect(account["README.md"]).toMatchObject({ standing: "inert" });
});

const SHOP = "def price(n, rate=2):\n    return n * rate\n\n\ndef label(text):\n    return text.strip()\n";
const OWN = `from shop import label, price


def test_price():
    assert price(3) == 6
    assert price(4, 5) == 20


def test_label():
    assert label(" a ") == "a"
    assert label("b") == "b"
`;

test("a second function may read otherwise on the way, and may not do otherwise", async () => {
  const files = { "shop.py": SHOP, "tests/test_shop.py": OWN };
  const same = SHOP.replace("return text.strip()", "bare = text.strip()\n    return bare");
  const kept = await run([right, write("shop.py", same), done], { files });
  expect(kept.account["shop.py"]).toMatchObject({ unit: "label", standing: "same" });
  expect(kept.status).toBe("proven");
  const other = SHOP.replace("return n * rate", "return n * rate if n < 1000 else 0");
  const changed = await run([right, write("shop.py", other), done, done], { files });
  expect(changed.status).toBe("not-proven");
  expect(changed.account["shop.py"]).toMatchObject({ unit: "price", standing: "not-judged" });
  expect(changed.builder.files()["shop.py"]).toBe(SHOP);
});

test("a function that no requirement needs is not delivered, nor a link or another mode", async () => {
  const unused = await run([write("calc.py", `${CODE}\n\ndef audit(user):\n    return user == "root"\n`), done, done]);
  expect(unused.status).toBe("not-proven");
  expect(unused.message).toContain("calc.py audit");
  const shell = call("run_command", { command: "ln -s run.sh host && chmod +x run.sh" });
  const files = { "run.sh": "echo\n" };
  const { status, account } = await run([right, shell, done, done], { files });
  expect(status).toBe("not-proven");
  expect(account).toMatchObject({ host: { standing: "not-judged" }, "run.sh": { standing: "not-judged" } });
});
