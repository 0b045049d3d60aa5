import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { runCommandLine } from "../command-line.ts";
import { EXIT } from "../text/exit-codes.ts";

const directory = mkdtempSync(join(tmpdir(), "miracle-check-"));
afterAll(() => rmSync(directory, { recursive: true }));

async function check(words: string[], input = "") {
  const terminal = fakeTerminal({ directory, home: directory, input });
  const exit = await runCommandLine(["check-command", ...words], terminal);
  return { exit, output: terminal.outputs(), error: terminal.errors() };
}

test("a command that passes is allowed, and nothing more is said", async () => {
  expect(await check(["npm test"])).toEqual({ exit: EXIT.done, output: "allowed\n", error: "" });
});

test("a refused one is shown with the part underlined, the reason and what to do instead", async () => {
  const { exit, output } = await check(["cd build; rm -rf *"]);
  expect(exit).toBe(EXIT.refused);
  expect(output).toBe(
    [
      "refused (command)",
      "",
      "    cd build; rm -rf *",
      "                     ^",
      "    refused: deletes the whole workspace, or all that lies in it [delete.root]",
      "    instead: name the files and directories to delete",
      "",
    ].join("\n"),
  );
});

test("one that asks has an exit code of its own", async () => {
  const { exit, output } = await check(["pip install reqeusts"]);
  expect(exit).toBe(EXIT.waiting);
  expect(output).toContain("asks first (deps)\n  installs reqeusts\n");
  expect(output).toContain("misspelling of requests");
});

test("--json prints the whole verdict as one line", async () => {
  const { exit, output } = await check(["git push", "--json"]);
  expect(exit).toBe(EXIT.refused);
  expect(JSON.parse(output)).toMatchObject({
    command: "git push",
    decision: "deny",
    reasons: [{ rule: "git.push", from: 0, to: 8 }],
  });
});

test("a line of several rows can come from the input, and the row at fault is shown", async () => {
  const { exit, output } = await check(["-"], "echo a\nsudo ls\necho b\n");
  expect(exit).toBe(EXIT.refused);
  expect(output).toContain("    sudo ls\n    ^^^^^^^\n");
  expect(output).not.toContain("echo b");
});

test("control characters of the line never reach the terminal", async () => {
  const { output } = await check(["sudo \u001b[2J\u202erm"]);
  expect(output).not.toMatch(/[\u001b\u202e]/);
});

test("no command at all is bad input", async () => {
  expect((await check(["  "])).exit).toBe(EXIT.badInput);
});
