import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import type { Script, ScriptedFault } from "./model-server.ts";
import { byTurn, call, helloGoal } from "./scripted-goal.ts";
import { expectRefusal, ScriptedTerminal } from "./scripted-terminal.ts";

const direct = ["run", "--direct", "--quiet", "say hello"];
const done = { "hello.txt": "644 hello\n" };

/** A server that first goes wrong so many times, then behaves. */
const firstWrong = (fault: ScriptedFault, times = 1): Script => {
  const good = byTurn(...helloGoal);
  return (request, index) => (index < times ? fault : good(request, index));
};

/** What holds after every stop that a person or a server can mend: nothing is written, and `resume` goes on to the end. */
async function expectResumable(terminal: ScriptedTerminal, env: Record<string, string> = {}, flags: string[] = []) {
  expect(terminal.tree()).toEqual({});
  const end = await terminal.run(["resume", "--last", "--quiet", ...flags], { env });
  expect(end, end.stderr).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(terminal.tree()).toEqual(done);
}

test("without a key nothing is begun, and the variables to set are named", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  const nothing = { MIRACLE_MODEL: "", MIRACLE_BASE_URL: "" };
  expectRefusal(await terminal.run(direct, { env: nothing }), EXIT.environment, "ANTHROPIC_API_KEY");
  const named = { ...nothing, MIRACLE_MODEL: "openai/gpt-5" };
  expectRefusal(await terminal.run(direct, { env: named }), EXIT.environment, "set OPENAI_API_KEY");
  expect(terminal.tasks()).toEqual([]);
});

test("a refused key stops the task, which goes on with a better one", async () => {
  const good = byTurn(...helloGoal);
  const terminal = await ScriptedTerminal.open((request, index) =>
    request.headers.authorization === "Bearer right-key-0123456789"
      ? good(request, index)
      : { fault: "status", status: 401, body: { error: { message: "Incorrect API key: wrong-key-0123456789" } } },
  );
  const end = await terminal.run(direct, { env: { MIRACLE_API_KEY: "wrong-key-0123456789" } });
  expectRefusal(end, EXIT.environment, "the key in MIRACLE_API_KEY was refused");
  expect(end.stdout).toContain(`miracle resume ${terminal.task}`);
  expect(JSON.stringify(end)).not.toContain("wrong-key-0123456789");
  const told = await terminal.run(["resume", "--last", "--json"], { env: { MIRACLE_API_KEY: "another-0123456789" } });
  const last: unknown = JSON.parse(told.stdout.trim().split("\n").at(-1) ?? "");
  expect(last).toMatchObject({ type: "run-ended", failure: { code: "model.unauthorized" }, exitCode: told.code });
  await expectResumable(terminal, { MIRACLE_API_KEY: "right-key-0123456789" });
});

test("a server of one's own that wants a key is told by the variable to set", async () => {
  const refusal = { fault: "status", status: 401, body: { error: { message: "who are you?" } } } as const;
  const terminal = await ScriptedTerminal.open(firstWrong(refusal));
  expectRefusal(await terminal.run(direct), EXIT.environment, "if it wants a key, set MIRACLE_API_KEY");
});

test("a model that the server does not know is named", async () => {
  const unknown = { fault: "status", status: 404, body: { error: { message: "model not found" } } } as const;
  const terminal = await ScriptedTerminal.open(firstWrong(unknown));
  expectRefusal(await terminal.run(direct), EXIT.badInput, 'does not know the model "scripted"');
  await expectResumable(terminal);
});

test.each<[string, ScriptedFault, RegExp]>([
  ["never answers", { fault: "hang" }, /did not answer for 0\.3 s.*retry\.requestTimeout/],
  ["stops in the middle of its answer", { fault: "hang-mid-stream" }, /stopped in the middle of its answer for 0\.3 s/],
  ["sends a malformed stream", { fault: "malformed" }, /sent an answer that cannot be read/],
  ["ends its stream too early", { fault: "cut" }, /sent an answer that cannot be read/],
  ["breaks the connection off", { fault: "reset" }, /broke off the connection: ECONNRESET/],
  ["is overloaded", { fault: "status", status: 503 }, /is not available \(503\)/],
])("a server that %s is tried again, then the task waits for it", async (_, fault, words) => {
  const terminal = await ScriptedTerminal.open(firstWrong(fault, 2));
  terminal.configure("retry: { attempts: 2, base: 1ms, max: 1ms, requestTimeout: 300ms }");
  expectRefusal(await terminal.run(direct), EXIT.transient, words);
  await expectResumable(terminal);
});

test("a call with invalid JSON, an unknown tool and wrong arguments come back to the model, who mends them", async () => {
  const terminal = await ScriptedTerminal.open(
    byTurn(
      call("create_file", '{"path": "hello.txt", "content": "hel'),
      ...helloGoal.slice(0, 1),
      call("delete_everything", {}),
      call("read_file", { file: "hello.txt" }),
      call("finish", { summary: "done" }),
    ),
  );
  const end = await terminal.run(direct);
  expect(end, end.stdout).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(terminal.tree()).toEqual(done);
  const told = terminal.server.requests.map(({ messages }) => messages.at(-1)?.text ?? "");
  expect(told[1]).toContain("the arguments of create_file are not valid JSON");
  expect(told[3]).toContain("there is no tool delete_everything; the tools are list_files,");
  expect(told[4]).toMatch(/wrong arguments for read_file:\n.*path/s);
});

test("a model that cannot mend its calls ends in a result that says so", async () => {
  const terminal = await ScriptedTerminal.open(() => ({ toolCalls: [call("delete_everything", {})] }));
  const end = await terminal.run(direct);
  expect(end.stdout).toContain("gave 3 unusable answers in a row; try another model");
  expect(end).toMatchObject({ code: EXIT.limit, stderr: "" });
  const planned = await terminal.run(["run", "--quiet", "say hello"]);
  expect(planned.stdout).toContain("gave 3 unusable answers in a row; try another model");
  expect(planned).toMatchObject({ code: EXIT.notProven, stderr: "" });
  expect(terminal.tree()).toEqual({});
});

test("a budget below the first call spends nothing, and a larger one goes on", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  terminal.configure("prices: { local/scripted: { input: 1000, output: 1000 } }");
  const end = await terminal.run([...direct, "--max-cost", "0.01"]);
  expectRefusal(end, EXIT.budget, /may cost up to \$.* raise --max-cost and resume/);
  expect(terminal.server.requests).toEqual([]);
  await expectResumable(terminal, {}, ["--max-cost", "100"]);
});
