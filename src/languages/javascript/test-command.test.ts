import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { testCommand } from "./test-command.ts";

test("what is done before the tests runs without what we load into them, in the same shell", () => {
  const cwd = temporaryDirectory();
  const seen = "node -e 'console.log(process.env.NODE_OPTIONS, process.env.NODE_V8_COVERAGE)'";
  const { argv, env } = testCommand({
    ...{ runner: "script", script: seen, files: [], report: "report", versions: {}, coverage: null },
    before: ["mkdir made", "cd made", `${seen} > before.txt`, "export NODE_OPTIONS=--no-warnings"],
  });
  const [program = "", ...args] = [...argv, "argument"];
  const { PATH } = process.env;
  const watched = { PATH, ...env, NODE_V8_COVERAGE: `${cwd}/lines` };
  const during = execFileSync(program, args, { cwd, env: watched, encoding: "utf8" });
  const before = execFileSync("cat", ["made/before.txt"], { cwd, encoding: "utf8" });
  expect(before).toBe("undefined undefined\n");
  expect(during).toBe(`${env?.NODE_OPTIONS} --no-warnings ${cwd}/lines\n`);
});
