import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { makeScratch, removeAbandoned } from "./scratch-directory.ts";

const users = [process.getuid?.() ?? -1];

test("what a process left that is gone is removed, and nothing else", () => {
  const root = temporaryDirectory("miracle-scratch-");
  const own = makeScratch("order", root);
  const gone = spawnSync("/bin/true").pid;
  const name = basename(own).replace(`-${process.pid}-`, `-${gone}-`);
  const others = [name.replace(/^(miracle-order-)\d+/, "$11"), "miracle-order-mine", `other-${name}`];
  for (const one of [name, ...others]) mkdirSync(join(root, one));
  writeFileSync(join(root, name, "file"), "litter");
  expect(removeAbandoned([-1], root)).toEqual([]);
  expect(removeAbandoned(users, root)).toEqual([join(root, name)]);
  for (const one of [own, ...others.map((other) => join(root, other))]) expect(existsSync(one), one).toBe(true);
});
