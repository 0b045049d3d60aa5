import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { packageRoot } from "../src/config/package-root.ts";
import { AcpEditor } from "./acp-client.ts";
import { files, imports, partOf } from "./import-graph.ts";
import { addGoal, byRole, byTurn, call, heldGoal, helloGoal } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";

const direct = async (yaml: string, ...args: Parameters<typeof ScriptedTerminal.open>) => {
  const terminal = await ScriptedTerminal.open(...args);
  terminal.configure(`direct: true\n${yaml}`);
  return terminal;
};

test("a plan is shown, and put to the person: a no ends the goal there", async () => {
  const terminal = await ScriptedTerminal.open(byRole(addGoal));
  terminal.configure("confirm: [plan]\n");
  const editor = await AcpEditor.open(terminal.line, { choose: () => "no" });
  const session = await editor.session();
  expect(await editor.prompt(session, "write calc.add, which adds two numbers")).toEqual({ stopReason: "end_turn" });
  expect(editor.asked).toMatchObject([{ sessionId: session, toolCall: { title: "plan: go on with this plan" } }]);
  expect(JSON.stringify(editor.asked[0]?.toolCall.content)).toContain("returns the sum of two numbers");
  expect(editor.updatesOf("plan").at(0)?.entries).toMatchObject([{ content: "write calc.add", status: "pending" }]);
  expect(editor.said).toMatch(/^nothing was done: .*: you did not want this plan\n\n```\n/);
  expect(terminal.tree()).toEqual({});
});

test("steps and diffs are shown; a no leaves the files as they are, a yes in the same session takes the next change", async () => {
  const terminal = await direct("confirm: [diff]\n", byTurn(...helloGoal));
  const answers = ["no", "yes"];
  const editor = await AcpEditor.open(terminal.line, { choose: () => answers[editor.asked.length - 1] ?? null });
  const session = await editor.session();
  await editor.prompt(session, "say hello");
  const path = join(terminal.project, "hello.txt");
  expect(editor.updatesOf("tool_call")).toMatchObject([
    { title: "changed hello.txt", kind: "edit", content: [{ type: "diff", path, oldText: null, newText: "hello\n" }] },
  ]);
  expect(editor.asked[0]?.options.map(({ kind }) => kind)).toEqual(["allow_once", "reject_once"]);
  expect(JSON.stringify(editor.asked[0]?.toolCall.content)).toContain("+hello");
  expect(terminal.tree(), "a no is a no").toEqual({});

  await editor.prompt(session, "say hello again");
  expect(editor.asked).toHaveLength(2);
  expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
  const shown = await terminal.run(["show", "--last"]);
  expect(shown.stdout).toContain(`continues  ${terminal.tasks()[0]?.id}`);
  expect(shown.stdout).toContain(`allowed by ${userInfo().username}: go on with this diff`);
});

test("a dialog that is closed is no answer: the task waits, and an answer from elsewhere lets it go on", async () => {
  const terminal = await direct("confirm: [diff]\n", byTurn(...helloGoal));
  const editor = await AcpEditor.open(terminal.line, { choose: () => null });
  await editor.prompt(await editor.session(), "say hello");
  expect(editor.said).toContain("miracle approve");
  expect(terminal.tasks()).toMatchObject([{ status: "paused" }]);
  const end = await terminal.run(["approve", terminal.task, "--resume", "--quiet"]);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
});

test.each([true, false])("a question in words is put as a form, where the editor has them (%s)", async (hasForms) => {
  const [planned] = addGoal.planner;
  const rough = call("finish", { ...Object(planned?.arguments), vague: "nobody says what it is to add" });
  const questions = [{ question: "Add what?", assumption: "integers" }];
  const roles = {
    planner: [rough, ...addGoal.planner],
    reprompter: [
      call("finish", { goal: "R1 adds", questions }),
      call("finish", { goal: "R1: calc.add adds two numbers." }),
    ],
  };
  const terminal = await ScriptedTerminal.open(byRole({ ...addGoal, ...roles }));
  terminal.configure("confirm: [plan]\nclarify: auto\n");
  const forms: string[] = [];
  const write = (message: string) => `answer ${forms.push(message)}`;
  const editor = await AcpEditor.open(terminal.line, { choose: () => "no", ...(hasForms && { write }) });
  await editor.prompt(await editor.session(), "calc.add adds two numbers");
  expect(forms, editor.said).toEqual(hasForms ? [expect.stringContaining("Add what?")] : []);
  const [first] = editor.asked;
  if (!hasForms) expect(first?.options).toMatchObject([{ name: "Go on as said above", kind: "reject_once" }]);
  const shown = await terminal.run(["show", "--last"]);
  expect(shown.stdout).toContain(hasForms ? "allowed by" : "not allowed by");
  expect(JSON.stringify(terminal.server.requests.map(({ body }) => body)).includes("Add what? answer 1")).toBe(
    hasForms,
  );
});

test("what is cancelled pauses, while it works and while it asks; the editor that leaves leaves it so", async () => {
  const { script, release } = heldGoal();
  const terminal = await direct("confirm: [diff]\n", script);
  const asked = Promise.withResolvers<void>();
  const editor = await AcpEditor.open(terminal.line, {
    choose: () => {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  const session = await editor.session();
  const first = editor.prompt(session, "say hello");
  await terminal.asked(2);
  await expect(editor.prompt(session, "another")).rejects.toThrow("one goal at a time");
  await editor.cancel(session);
  expect(await first).toEqual({ stopReason: "cancelled" });
  const other = await AcpEditor.open(terminal.line);
  other.prompt(await other.session(), "say hello").catch(() => {});
  await terminal.asked(3);
  expect(await other.leave()).toBe(EXIT.done);
  expect(terminal.tasks()).toMatchObject([{ status: "paused" }, { status: "paused" }]);
  release();
  const second = editor.prompt(session, "say hello");
  await asked.promise;
  await editor.cancel(session);
  expect(await second).toEqual({ stopReason: "cancelled" });
  expect(terminal.tree()).toEqual({});
});

test("a question is answered from the code; what cannot be begun is told in the words of the command line", async () => {
  const answer = { answer: "It greets.", places: [{ path: "hello.py", quote: "print('hello')" }] };
  const terminal = await ScriptedTerminal.open(byTurn(call("finish", answer)), { "hello.py": "print('hello')\n" });
  const editor = await AcpEditor.open(terminal.line);
  const session = await editor.session();
  expect(await editor.prompt(session, "what does it do?")).toEqual({ stopReason: "end_turn" });
  expect(editor.said).toMatch(/^It greets\.\n {2}\[1\] hello\.py:1/);
  await expect(editor.prompt(session, " ")).rejects.toThrow(
    "the goal is empty: say in a sentence what to build or mend",
  );
  await expect(editor.prompt("nobody", "hello")).rejects.toThrow("there is no session nobody");
  await expect(editor.session("/nowhere")).rejects.toThrow("cwd /nowhere: there is no such directory");
  expect(await editor.leave()).toBe(EXIT.done);
});

test("the SDK is loaded by this command alone", () => {
  const source = (file: string) => readFileSync(join(packageRoot(), "src", file), "utf8");
  const users = files.filter((file) => source(file).includes('from "@agentclientprotocol/'));
  expect(new Set(users.map(partOf))).toEqual(new Set(["acp"]));
  const outside = imports.filter(({ from, to }) => partOf(to) === "acp" && partOf(from) !== "acp");
  expect(new Set(outside.map(({ from }) => from))).toEqual(new Set(["cli/commands/acp.ts"]));
});
