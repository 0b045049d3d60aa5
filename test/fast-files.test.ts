import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/config/package-root.ts";
import { fastFiles } from "./fast-files.ts";
import { temporaryDirectory } from "./temporary.ts";

const sample = {
  "src/cli/main.ts": 'import { plan } from "../work/plan.ts";\n',
  "src/work/run.ts": 'import { spawn } from "node:child_process";\n',
  "src/work/plan.ts": 'import { run } from "./run.ts";\n',
  "test/server.ts": 'import { createServer } from "node:http";\n',
  "test/scripted.ts": 'import { server } from "./server.ts";\n',
};

const fastIn = (files: Record<string, string>) => {
  const root = temporaryDirectory();
  for (const [path, text] of Object.entries({ ...sample, ...files })) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return fastFiles(root);
};

test("a test that starts processes, by itself, by what helps it or by what it tests, is not fast", () => {
  expect(
    fastIn({
      "src/a.test.ts": 'import { spawn } from "node:child_process";\n',
      "src/b.test.ts": 'import {\n  scripted,\n} from "../test/scripted.ts";\n',
      "src/work/run.test.ts": 'import { run } from "./run.ts";\n',
      "src/c.test.ts": "// Starts processes: only it knows.\n",
      "test/d.test.ts": 'import { scripted } from "./scripted.ts";\n',
    }),
  ).toEqual([]);
});

test("a test is fast where only something far behind what it tests could start a process, or a sample does", () => {
  const fast = {
    "src/work/plan.test.ts": 'import { plan } from "./plan.ts";\n',
    "src/e.test.ts":
      'import { plan } from "./work/plan.ts";\n\nconst TEXT = `\nimport { spawn } from "node:child_process";\n`;\n',
    "test/f.test.ts": 'import type { Server } from "./server.ts";\n',
  };
  expect(fastIn(fast).sort()).toEqual(Object.keys(fast).sort());
});

test("most tests are fast, among them this one and those of the recordings", () => {
  const fast = fastFiles(packageRoot());
  expect(fast.length).toBeGreaterThan(120);
  expect(fast).toEqual(expect.arrayContaining(["test/fast-files.test.ts", "test/cassettes.test.ts"]));
});

test("what starts a process, listens or connects is refused here", async () => {
  const { spawn, spawnSync } = await import("node:child_process");
  const { connect, createServer } = await import("node:net");
  const starts = [
    () => spawn("true"),
    () => spawnSync("true"),
    () => createServer().listen(0),
    () => connect(1, "127.0.0.1"),
  ];
  for (const start of starts) expect(start).toThrow("the fast part of the suite");
});
