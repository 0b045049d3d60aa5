import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchDisk } from "./disk-watch.ts";

const MEGABYTE = Buffer.alloc(1024 * 1024, 1);
let workspace: string;

const isRoot = process.getuid?.() === 0;

beforeEach(() => {
  workspace = mkdtempSync("/dev/shm/miracle-disk-");
  // A file system of its own, where it can be had: what the whole of it loses is then what these tests write.
  if (isRoot) execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m,mode=755", "none", workspace]);
});
afterEach(() => {
  if (isRoot) execFileSync("umount", ["--lazy", workspace]);
  rmSync(workspace, { recursive: true, force: true });
});

const at = (name: string | Buffer) => Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(name)]);

test("counts content, whatever a program says of its age", () => {
  const isOver = watchDisk(workspace, 2, Date.now());
  writeFileSync(at("one"), MEGABYTE);
  expect(isOver()).toBe(false);
  mkdirSync(at("deep"));
  writeFileSync(at("deep/two"), Buffer.concat([MEGABYTE, MEGABYTE]));
  utimesSync(at("deep/two"), 0, 0);
  expect(isOver()).toBe(true);
});

test("counts files whose names are no text", () => {
  const isOver = watchDisk(workspace, 1, Date.now());
  writeFileSync(at(Buffer.from([0xff, 0xfe])), Buffer.concat([MEGABYTE, MEGABYTE]));
  expect(isOver()).toBe(true);
});

test("counts files and directories without content", () => {
  const isOver = watchDisk(workspace, 1, Date.now());
  for (let index = 0; index < 250; index += 1) writeFileSync(at(`file-${index}`), "");
  expect(isOver()).toBe(false);
  for (let index = 0; index < 10; index += 1) mkdirSync(at(`directory-${index}`));
  expect(isOver()).toBe(true);
});

test("counts what a process of the command holds open without a name", () => {
  const isOver = watchDisk(workspace, 1, Date.now());
  const held = openSync(at("held"), "w");
  unlinkSync(at("held"));
  writeSync(held, Buffer.concat([MEGABYTE, MEGABYTE]));
  expect(isOver(process.pid)).toBe(true);
  closeSync(held);
});

test("is not misled by what others free meanwhile", () => {
  const others = join(workspace, "of-others");
  writeFileSync(others, Buffer.concat([MEGABYTE, MEGABYTE, MEGABYTE, MEGABYTE]));
  const isOver = watchDisk(workspace, 1, Date.now());
  rmSync(others);
  expect(isOver()).toBe(false);
  writeFileSync(at("large"), Buffer.concat([MEGABYTE, MEGABYTE]));
  expect(isOver()).toBe(true);
});

/** A process in a namespace of its own, which has done this when it says so. */
async function inNamespace(program: string): Promise<{ firstProcess: number } & AsyncDisposable> {
  const child = spawn("bwrap", [
    ...["--unshare-pid", "--dev-bind", "/", "/", "--tmpfs", "/tmp", "--tmpfs", "/dev/shm"],
    ...["--bind", workspace, workspace, "python3", "-c", program],
  ]);
  const ended = once(child, "close");
  await once(child.stdout, "data");
  const firstProcess = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim());
  return {
    firstProcess,
    [Symbol.asyncDispose]: async () => {
      process.kill(firstProcess, "SIGKILL");
      await ended;
    },
  };
}

const waiting = "print(1, flush=True); import time; time.sleep(60)";
const nameless = () =>
  `import mmap, os, socket; f = os.open(${JSON.stringify(workspace)}, os.O_RDWR | os.O_TMPFILE, 0o600)`;

test("is not misled by what others write meanwhile, however much", async () => {
  mkdirSync(at("inside"));
  const isOver = watchDisk(join(workspace, "inside"), 1, Date.now());
  await using command = await inNamespace(waiting);
  for (let count = 0; count < 6; count += 1) writeFileSync(at(`of-others-${count}`), MEGABYTE);
  expect(isOver(command.firstProcess)).toBe(false);
});

test.each([
  ["mapped", "os.write(f, b'1' * 4096); m = mmap.mmap(f, 4096); os.close(f)"],
  ["sent away", "a, b = socket.socketpair(); socket.send_fds(a, [b'x'], [f]); os.close(f)"],
])(
  "ends a command by which the disk loses several times the limit where content can be hidden: %s",
  async (_, hide) => {
    mkdirSync(at("inside"));
    const isOver = watchDisk(join(workspace, "inside"), 1, Date.now());
    await using command = await inNamespace(`${nameless()}; ${hide}; ${waiting}`);
    expect(isOver(command.firstProcess)).toBe(false);
    for (let count = 0; count < 6; count += 1) writeFileSync(at(`others-${count}`), MEGABYTE);
    expect(isOver(command.firstProcess)).toBe(true);
  },
);

test("ends a command whose processes cannot be seen when the disk loses several times the limit", () => {
  const isOver = watchDisk(workspace, 1, Date.now());
  const hidden = openSync(workspace, 0o20200002, 0o600); // O_TMPFILE: it never has a name
  for (let written = 0; written < 5; written += 1) writeSync(hidden, MEGABYTE);
  expect(isOver(null)).toBe(true);
  closeSync(hidden);
});

test("a workspace that is taken away while a command runs is no fault of the watch", () => {
  const inside = join(workspace, "inside");
  mkdirSync(inside);
  const isOver = watchDisk(inside, 1, Date.now());
  rmSync(inside, { recursive: true });
  expect(isOver()).toBe(false);
});
