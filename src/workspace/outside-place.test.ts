import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { outsidePlace } from "./outside-place.ts";

let home: string;
beforeEach(() => {
  home = temporaryDirectory("miracle-outside-");
  for (const directory of ["data/deep", ".ssh", "kept/inner", "above/kept"])
    mkdirSync(join(home, directory), { recursive: true });
  const files = ["data/prices.csv", "data/.env", "data/deep/id_rsa", ".ssh/known_hosts", "kept/inner/unseen.py"];
  for (const file of files) writeFileSync(join(home, file), "x");
  symlinkSync(join(home, "data/prices.csv"), join(home, "link.csv"));
  symlinkSync(join(home, "data/.env"), join(home, "harmless.txt"));
  symlinkSync(join(home, "kept"), join(home, "way-in"));
});
const find = (path: string) => outsidePlace(path, { home, kept: [join(home, "kept"), join(home, "above/kept")] });

test("a file or directory that is there can be asked for, by the place that it really is", () => {
  const prices = { path: join(home, "data/prices.csv"), isDirectory: false };
  expect(find(join(home, "data/prices.csv"))).toEqual(prices);
  expect(find("~/data/prices.csv")).toEqual(prices);
  expect(find(join(home, "link.csv"))).toEqual(prices);
  expect(find(join(home, "data/deep/.."))).toEqual({ path: join(home, "data"), isDirectory: true });
});

test.each([
  ["what is not there", "~/data/gone.csv"],
  ["a path of the workspace", "data/prices.csv"],
  ["a secret", "~/data/.env"],
  ["a secret in a directory of secrets", "~/.ssh/known_hosts"],
  ["a link to a secret", "~/harmless.txt"],
  ["what is kept", "~/kept/inner/unseen.py"],
  ["what is kept, by a link", "~/way-in/inner/unseen.py"],
  ["a directory that holds what is kept", "~/above"],
  ["everything", "/"],
  ["a top directory", "/home"],
  ["what is no file", "/dev/null"],
  ["the variables of processes", "/proc/self/environ"],
  ["passwords of the system", "/etc/passwd"],
  ["an odd path", "~/data\0/prices.csv"],
])("nobody is asked for %s", (_, path) => {
  expect(find(path)).toBeNull();
});
