import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ControlGroup } from "./control-group.ts";
import { findControlGroups } from "./control-groups.ts";

const LIMITS = { cpus: 1.5, memoryMb: 100, pids: 20, diskMb: 16, timeoutMs: 1_000, outputBytes: 1_000 };
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "miracle-cgroup-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Files as the kernel shows them. Plain files: what a real kernel does with them is the conformance suite's part. */
function files(contents: Record<string, string>): void {
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

const read = (path: string) => readFileSync(join(root, path), "utf8");

test("v2: builds below the highest group that may be written, with its own controllers", () => {
  files({
    "proc/self/cgroup": "0::/user.slice/app.scope\n",
    "proc/self/mounts": "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n",
    "sys/fs/cgroup/cgroup.controllers": "cpu memory pids",
    "sys/fs/cgroup/cgroup.subtree_control": "cpu memory pids",
    "sys/fs/cgroup/cgroup.procs": "",
    "sys/fs/cgroup/user.slice/cgroup.procs": "",
    "sys/fs/cgroup/user.slice/app.scope/cgroup.procs": "",
  });
  const groups = findControlGroups(root);
  expect([groups.holds("memory"), groups.holds("pids"), groups.holds("cpu")]).toEqual([
    "cgroup v2",
    "cgroup v2",
    "cgroup v2",
  ]);
  groups.create().limit(LIMITS);
  const [name] = readdirSync(join(root, "sys/fs/cgroup")).filter((entry) => entry.startsWith("miracle-"));
  const group = `sys/fs/cgroup/${name}`;
  expect(read(`${group}/memory.max`)).toBe("104857600");
  expect(read(`${group}/memory.swap.max`)).toBe("0");
  expect(read(`${group}/pids.max`)).toBe("22");
  expect(read(`${group}/cpu.max`)).toBe("150000 100000");
});

test("v2: says which controllers are missing", () => {
  files({
    "proc/self/cgroup": "0::/\n",
    "proc/self/mounts": "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n",
    "sys/fs/cgroup/cgroup.controllers": "pids",
    "sys/fs/cgroup/cgroup.subtree_control": "pids",
    "sys/fs/cgroup/cgroup.procs": "",
  });
  const groups = findControlGroups(root);
  expect([groups.holds("memory"), groups.holds("pids"), groups.holds("cpu")]).toEqual([null, "cgroup v2", null]);
});

test("v1: builds below the own group of each controller", () => {
  files({
    "proc/self/cgroup": "8:pids:/\n4:memory:/outer/own\n1:cpu,cpuacct:/\n0::/\n",
    "proc/self/mounts": [
      "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0",
      "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0",
      "cgroup /sys/fs/cgroup/pids cgroup rw,pids 0 0",
      "",
    ].join("\n"),
    "sys/fs/cgroup/cpu,cpuacct/tasks": "",
    "sys/fs/cgroup/memory/outer/own/tasks": "",
    "sys/fs/cgroup/pids/tasks": "",
  });
  const groups = findControlGroups(root);
  expect([groups.holds("memory"), groups.holds("pids"), groups.holds("cpu")]).toEqual([
    "cgroup v1",
    "cgroup v1",
    "cgroup v1",
  ]);
  groups.create().limit(LIMITS);
  const name = `miracle-${process.pid}-1`;
  expect(read(`sys/fs/cgroup/memory/outer/own/${name}/memory.limit_in_bytes`)).toBe("104857600");
  expect(read(`sys/fs/cgroup/pids/${name}/pids.max`)).toBe("22");
  expect(read(`sys/fs/cgroup/cpu,cpuacct/${name}/cpu.cfs_quota_us`)).toBe("150000");
});

test("removes groups of processes that are gone, and no other", () => {
  files({
    "proc/self/cgroup": "8:pids:/\n",
    "proc/self/mounts": "cgroup /sys/fs/cgroup/pids cgroup rw,pids 0 0\n",
    "sys/fs/cgroup/pids/tasks": "",
  });
  const at = (name: string) => join(root, "sys/fs/cgroup/pids", name);
  for (const name of ["miracle-999999999-1", `miracle-${process.pid}-7`, "other"]) mkdirSync(at(name));
  findControlGroups(root);
  expect(existsSync(at("miracle-999999999-1"))).toBe(false);
  expect(existsSync(at(`miracle-${process.pid}-7`))).toBe(true);
  expect(existsSync(at("other"))).toBe(true);
});

test("without any hierarchy nothing holds", () => {
  const groups = findControlGroups(root);
  expect([groups.holds("memory"), groups.holds("pids"), groups.holds("cpu")]).toEqual([null, null, null]);
});

/** A real v2 hierarchy, also one that has none of our controllers because v1 has them. */
const unified = readFileSync("/proc/self/mounts", "utf8")
  .split("\n")
  .map((line) => line.split(" "))
  .find(([, , kind]) => kind === "cgroup2")?.[1];
const mayMake = unified !== undefined && process.getuid?.() === 0;

test.runIf(mayMake)("v2: a process joins a real group, and all it has started ends with it", async () => {
  const path = join(unified ?? "", `miracle-${process.pid}-9999`);
  mkdirSync(path);
  const group = new ControlGroup([{ path, version: 2, controllers: [] }]);
  const [joining = -1] = group.openJoins();
  const script = "echo 0 >&3; exec 3>&-; setsid sleep 43231 & setsid setsid sleep 43231 & echo joined; sleep 43231";
  const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit", joining] });
  closeSync(joining);
  const ended = once(child, "close");
  if (!child.stdout) throw new Error("no pipe to the process");
  await once(child.stdout, "data");
  expect(readFileSync(join(path, "cgroup.procs"), "utf8").trim().split("\n").length).toBeGreaterThan(1);
  await group.remove();
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(existsSync(path)).toBe(false);
});
