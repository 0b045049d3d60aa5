import { expect, test } from "vitest";
import type { App } from "../src/app.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { listMessages, tellTask } from "../src/journal/messages.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { byTurn, helloGoal, roleOf } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";
import { isTold, toldGoal, toldScript, toldWords } from "./told-goal.ts";

const replayed = async (app: App, task: string) => replayTask(await app.recording(task), openLanguages());

const within = ["bash", "-c", `exec script --quiet --return --command "$(printf '%q ' "$@")" /dev/null`, "bash"];
const onTerminal = { within, env: { TERM: "xterm" }, stdin: null };

const tell = (app: App, task: string, text: string) =>
  tellTask(app.store, task, { id: `m${text.length}`, text, by: "ada", at: 1 });

test("what a person says while a todo is worked on gets its tests, then its code, and is told in the evidence", async () => {
  let app: App | undefined;
  let task = "";
  const builder = await AppBuilder.create(async (request) => {
    const answer = toldScript(request);
    // Two messages while the coder is at its first turn.
    if (app && roleOf(request) === "coder" && (await listMessages(app.store, task)).length === 0) {
      await tell(app, task, toldWords);
      await tell(app, task, "plain functions, please");
    }
    return answer;
  });
  app = await builder.open();
  const limits = { ...builder.settings().limits, parallel: 3 };
  const settings = builder.settings({ limits });
  const end = await builder.start(app, { goal: toldGoal }, settings, {
    onTask: (id) => {
      task = id;
    },
  });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  // Tests of what is no more are gone, those of what is new are there.
  expect(Object.keys(builder.files())).toEqual(["calc.py", "tests/test_add_2.py"]);
  expect(builder.files()["calc.py"]).toContain("raise ValueError");

  const heard = builder.events.filter((event) => event.type === "message-heard");
  expect(heard.map(({ message }) => message.text)).toEqual([toldWords, "plain functions, please"]);
  expect((await listMessages(app.store, task)).every(({ heardAt }) => heardAt !== null)).toBe(true);
  const [update, note] = builder.events.filter((event) => event.type === "plan-updated");
  expect(update).toMatchObject({
    amendment: { words: toldWords, by: "ada", added: ["R2"], changed: ["R1"], dropped: [] },
    changes: {
      requirements: { added: [{ id: "R2" }], removed: [], changed: [{ id: "R1" }] },
      todos: { changed: [{ id: "add", fields: [{ field: "requirements", before: "R1", after: "R1, R2" }] }] },
    },
  });
  expect(note).toMatchObject({ amendment: { added: [], changed: [], dropped: [] } });
  // The new tests were red first: the tester is asked before the coder goes on.
  const roles = builder.server.requests.map(roleOf);
  expect(roles.slice(0, 8)).toEqual([
    "planner",
    "tester",
    "coder",
    "coder",
    "reflector",
    "planner",
    "tester",
    "planner",
  ]);

  const coders = builder.server.requests.filter((request) => roleOf(request) === "coder");
  const goesOn = coders.find(isTold)?.messages[0]?.text ?? "";
  expect(goesOn).toContain("plain functions, please");
  expect(goesOn).toContain("test_refuses");
  // It goes on from its own tree, and sees what it did.
  expect(goesOn).toContain("+    return a - b");
  const evidence = builder.events.find((event) => event.type === "evidence-gathered")?.evidence;
  expect(evidence?.requirements.map(({ id, support }) => [id, support])).toEqual([
    ["R1", "red-to-green"],
    ["R2", "red-to-green"],
  ]);
  expect(evidence?.amended).toMatchObject([{ words: toldWords, at: 1 }, { words: "plain functions, please" }]);
  expect(await replayed(app, task)).toMatchObject({ ended: "same" });
});

test("what a person says before the tests are written is heard first: no test is written for what they want otherwise", async () => {
  let app: App | undefined;
  let task = "";
  const builder = await AppBuilder.create(async (request) => {
    const first = app && roleOf(request) === "planner" && (await listMessages(app.store, task)).length === 0;
    if (app && first) await tell(app, task, toldWords);
    return toldScript(request);
  });
  app = await builder.open();
  const end = await builder.start(app, { goal: toldGoal }, builder.settings(), {
    onTask: (id) => {
      task = id;
    },
  });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(builder.server.requests.map(roleOf).slice(0, 4)).toEqual(["planner", "planner", "tester", "coder"]);
  expect(builder.events.filter(({ type }) => type === "tests-written")).toHaveLength(1);
  expect(await replayed(app, task)).toMatchObject({ ended: "same" });
});

test("what a person types while they watch a run is told to it, and Enter on nothing says nothing", async () => {
  const good = byTurn(...helloGoal);
  let saidSo = () => {};
  const isSaid = new Promise<void>((resolve) => {
    saidSo = resolve;
  });
  const terminal = await ScriptedTerminal.open(async (request, index) => {
    if (index === 1) await isSaid;
    return good(request, index);
  });
  const run = terminal.start(["run", "--direct", "say hello"], onTerminal);
  await terminal.asked(2);
  run.type("\rplain wrods\u0017words, please\r");
  await run.prints("you say: plain words, please");
  saidSo();
  await run.prints("Enter to leave");
  run.type("\r");
  const end = await run.end;
  expect(end.code, end.stdout).toBe(EXIT.done);
  expect(end.stdout, "the terminal does not echo it over the view").not.toContain("wrods\u0017");
  const shown = await terminal.run(["show", "--last"]);
  expect(shown.stdout.match(/plain words, please/g), shown.stdout).not.toBeNull();
});

test("a plan that a person corrects is asked about again, as it is then, and their no to it ends the work", async () => {
  const asked: string[] = [];
  const start = async (second: boolean) => {
    const builder = await AppBuilder.create(toldScript);
    const app = await builder.open();
    let task = "";
    const end = await builder.start(app, { goal: toldGoal }, builder.settings({ confirm: ["plan"] }), {
      onTask: (id) => {
        task = id;
      },
      ask: async ({ detail }) => {
        asked.push(detail);
        if (detail.includes("R2")) return { granted: second, by: "ada", reason: "" };
        await tell(app, task, toldWords);
        return { granted: true, by: "ada", reason: toldWords };
      },
    });
    return { builder, end, replayed: await replayed(app, task) };
  };
  const yes = await start(true);
  expect(yes.end).toMatchObject({ outcome: { status: "proven" } });
  expect(yes.replayed).toMatchObject({ ended: "same" });
  expect(asked).toEqual([expect.not.stringContaining("R2"), expect.stringContaining("R2 calc.add raises ValueError")]);
  expect(yes.builder.server.requests.map(roleOf).slice(0, 4)).toEqual(["planner", "planner", "tester", "coder"]);

  const no = await start(false);
  expect(no.end).toMatchObject({ outcome: { status: "not-proven", failure: { code: "declined.plan" } } });
  expect(no.builder.server.requests.map(roleOf), "no test was written").toEqual(["planner", "planner"]);
});
