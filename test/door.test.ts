import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { packageRoot } from "../src/config/package-root.ts";
import { temporaryDirectory } from "./temporary.ts";

/** Makes this Node say that it is an old one, to the door alone. */
const PRETEND_OLD =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})';

const root = packageRoot();

test("the door answers --version itself", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(await ended(open(root, ["--version"]))).toEqual({ code: 0, signal: null, text: `${version}\n` });
  expect(await ended(open(root, ["-V"], { old: true }))).toMatchObject({ code: 0, text: `${version}\n` });
});

test("an old Node hands over to the project's own, and its exit code is ours", async () => {
  const { code, text } = await ended(open(root, ["show", "nothing"], { old: true }));
  expect(text).toContain("there is no task nothing");
  expect(code).toBe(64);
});

test("a signal to an old Node reaches the one that works", async () => {
  const door = open(root, ["run", "-"], { old: true });
  const inner = await vi.waitFor(() => childOf(door), { timeout: 10_000 });
  door.kill("SIGTERM");
  expect(await ended(door)).toMatchObject({ code: null, signal: "SIGTERM" });
  expect(() => process.kill(inner, 0)).toThrow("ESRCH");
});

test("what is missing is told: the build, or a Node that is new enough", async () => {
  const bare = temporaryDirectory();
  for (const name of ["bin", "package.json"]) cpSync(join(root, name), join(bare, name), { recursive: true });
  expect(await ended(open(bare, ["history"]))).toMatchObject({
    code: 69,
    text: "miracle is not built yet: run `npm run build` in its directory\n",
  });
  const old = await ended(open(bare, ["history"], { old: true }));
  expect(old.code).toBe(69);
  expect(old.text).toMatch(/^miracle needs Node 24 and this is v\S+: install Node 24, or install miracle again: .*\n$/);
});

function open(directory: string, args: string[], { old = false } = {}): ChildProcess {
  const flags = old ? ["--import", PRETEND_OLD] : [];
  return spawn(process.execPath, [...flags, join(directory, "bin", "miracle.js"), ...args], {
    env: { PATH: "/usr/bin:/bin", HOME: temporaryDirectory() },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null; text: string }> {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, text }));
  });
}

/** The process that the door started, once it runs our code. */
function childOf(door: ChildProcess): number {
  const children = readFileSync(`/proc/${door.pid}/task/${door.pid}/children`, "utf8").trim();
  if (children === "") throw new Error("not started yet");
  return Number(children.split(" ")[0]);
}
