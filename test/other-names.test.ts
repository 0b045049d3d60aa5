import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { addGoal, byRole, call, extraRoleOf } from "./scripted-goal.ts";

test("--task, --enable-review and --enable-audit are other names of what we have", async () => {
  const nothing = call("finish", { findings: [] });
  const builder = await AppBuilder.create(
    byRole({ ...addGoal, reviewer: [nothing, nothing], auditor: [nothing, nothing] }),
  );
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const run = async (...words: string[]) => {
    const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
    return { exit: await runCommandLine(["run", ...words], terminal), error: terminal.errors() };
  };
  expect((await run("-t", "one", "two")).error).toContain("the goal is given twice");
  await run("--task", "Write a module that adds two numbers", "--enable-review", "--enable-audit", "--quiet");
  const [asked] = builder.server.requests;
  expect(asked?.messages[0]?.text).toContain("Write a module that adds two numbers");
  expect(new Set(builder.server.requests.map(extraRoleOf))).toEqual(new Set([undefined, "reviewer", "auditor"]));
});
