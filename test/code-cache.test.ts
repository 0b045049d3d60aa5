import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/config/package-root.ts";
import { temporaryDirectory } from "./temporary.ts";

const root = packageRoot();
const build = readFileSync(join(root, "dist/build-id"), "utf8");

test("compiled code is kept for the next run of the same command", () => {
  const home = temporaryDirectory();
  expect(miracle(home, "history")).toContain("no tasks yet");
  const kept = keptIn(home);
  expect(kept.names()).toContain("miracle.cjs");
  const before = kept.times();
  expect(miracle(home, "history")).toContain("no tasks yet");
  expect(kept.times()).toEqual(before);
});

test("what is damaged is compiled anew and replaced", () => {
  const home = temporaryDirectory();
  miracle(home, "history");
  const kept = keptIn(home);
  for (const name of kept.names()) writeFileSync(join(kept.directory, name), "not what V8 wrote");
  expect(miracle(home, "history")).toContain("no tasks yet");
  expect(readFileSync(join(kept.directory, "miracle.cjs"), "latin1")).not.toBe("not what V8 wrote");
});

test("nothing is kept where others may write", () => {
  const home = temporaryDirectory();
  miracle(home, "history");
  const kept = keptIn(home);
  chmodSync(kept.directory, 0o777);
  for (const name of kept.names()) writeFileSync(join(kept.directory, name), "");
  expect(miracle(home, "history")).toContain("no tasks yet");
  expect(kept.names().map((name) => statSync(join(kept.directory, name)).size)).toEqual(kept.names().map(() => 0));
});

test("the code of old builds is forgotten", () => {
  const home = temporaryDirectory();
  const old = Array.from({ length: 6 }, (_, index) => join(home, ".cache/miracle", `000000000000000${index}`));
  for (const [index, directory] of old.entries()) {
    mkdirSync(directory, { recursive: true });
    utimesSync(directory, index, index);
  }
  miracle(home, "history");
  expect(readdirSync(join(home, ".cache/miracle")).sort()).toEqual(
    ["0000000000000003", "0000000000000004", "0000000000000005", build].sort(),
  );
});

test("modules of Node that are loaded late are found, and Node has nothing to warn of", () => {
  const said = miracle(temporaryDirectory(), "doctor");
  expect(said).toMatch(/SQLite: \d/);
  expect(said).not.toContain("Warning");
});

test("a run that does not end well keeps nothing", () => {
  const home = temporaryDirectory();
  expect(miracle(home, "show", "nothing")).toContain("there is no task");
  expect(readdirSync(home)).not.toContain(".cache");
});

function miracle(home: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, "bin/miracle.js"), ...args], {
    cwd: home,
    env: { PATH: "/usr/bin:/bin", HOME: home },
    encoding: "utf8",
  });
  return stdout + stderr;
}

function keptIn(home: string) {
  const directory = join(home, ".cache/miracle", build, "history");
  const names = () => readdirSync(directory).sort();
  return { directory, names, times: () => names().map((name) => statSync(join(directory, name)).mtimeMs) };
}
