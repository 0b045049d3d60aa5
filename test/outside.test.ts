import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { byTurn, call } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";

const direct = ["run", "--direct", "--quiet", "sum up the prices"];

/** A project, and beside it a file that a goal needs. The calls are told where that is. */
async function withPrices(calls: (prices: string) => ReturnType<typeof call>[]) {
  let prices = "";
  const terminal = await ScriptedTerminal.open((request, index) => byTurn(...calls(prices))(request, index), {
    "README.md": "a project\n",
  });
  prices = join(terminal.root, "elsewhere/prices.csv");
  terminal.write({ "elsewhere/prices.csv": "apple,3\npear,4\n", "elsewhere/.env": "KEY=1\n" }, terminal.root);
  return terminal;
}

const finish = call("finish", { summary: "done" });
const readByModel = (terminal: ScriptedTerminal): string => JSON.stringify(terminal.server.requests.at(-1)?.body);

test("a file outside of the project is asked for, read once it is allowed, and seen by commands, but never written", async () => {
  const terminal = await withPrices((prices) => [
    call("read_file", { path: prices }),
    call("run_command", { command: `cp ${prices} prices.csv; echo more >> ${prices}; ls ${prices}/../.env` }),
    call("create_file", { path: prices, content: "" }),
    finish,
  ]);
  const waiting = await terminal.run([...direct, "--wait"]);
  expect(waiting, waiting.stderr).toMatchObject({ code: EXIT.waiting });
  expect(terminal.tree()).not.toHaveProperty("prices.csv");
  const asked = await terminal.run(["approvals"]);
  expect(asked.stdout).toContain("elsewhere/prices.csv, which is not part of the workspace");
  const [id = ""] = /\ba[0-9a-f]{9}\b/.exec(asked.stdout) ?? [];
  const answered = await terminal.run(["approve", id]);
  expect(answered, answered.stderr).toMatchObject({ code: EXIT.done });
  const end = await terminal.run(["resume", "--last", "--quiet", "--wait"]);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(readByModel(terminal)).toContain("apple,3");
  expect(readByModel(terminal)).toContain("give a path relative to the workspace");
  expect(terminal.tree()).toMatchObject({ "prices.csv": "644 apple,3\npear,4\n" });
  expect(readFileSync(join(terminal.root, "elsewhere/prices.csv"), "utf8")).toBe("apple,3\npear,4\n");
});

test("a directory is allowed with what lies below it, but for secrets", async () => {
  const terminal = await withPrices((prices) => [
    call("list_files", { path: join(prices, "..") }),
    call("read_file", { path: prices }),
    call("read_file", { path: join(prices, "../.env") }),
    finish,
  ]);
  const end = await terminal.run([...direct, "--approve=outside"]);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  const told = readByModel(terminal);
  expect(told).toContain("apple,3");
  expect(told).not.toContain("KEY=1");
  const shown = await terminal.run(["show", "--last"]);
  expect(shown.stdout.match(/policy: --approve outside/g)).toHaveLength(1);
});

test.each([["--yes"], ["--approve=files"]])("%s does not mean files outside of the project", async (flag) => {
  const terminal = await withPrices((prices) => [call("read_file", { path: prices }), finish]);
  const end = await terminal.run([...direct, flag]);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(readByModel(terminal)).toContain("not allowed (nobody there): read ");
  expect(readByModel(terminal)).not.toContain("apple,3");
});
