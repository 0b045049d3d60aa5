import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dataDirectoryPath, openDataDirectory } from "./data-directory.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "data-"));
});
afterEach(() => rmSync(place, { recursive: true }));

test("is MIRACLE_HOME, else the XDG data directory, else the one in the home directory", () => {
  expect(dataDirectoryPath({ MIRACLE_HOME: "/m", XDG_DATA_HOME: "/x" }, "/h")).toBe("/m");
  expect(dataDirectoryPath({ XDG_DATA_HOME: "/x" }, "/h")).toBe("/x/miracle");
  expect(dataDirectoryPath({}, "/h")).toBe("/h/.local/share/miracle");
});

test("is created for its owner alone", () => {
  const directory = openDataDirectory({ MIRACLE_HOME: join(place, "a/b") }, "/nowhere");
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("is refused with one line when it cannot be written", () => {
  writeFileSync(join(place, "file"), "");
  const open = () => openDataDirectory({ MIRACLE_HOME: join(place, "file/below") }, "/nowhere");
  expect(open).toThrow(
    `the data directory ${place}/file/below cannot be written (ENOTDIR); make room, or set MIRACLE_HOME`,
  );
});

test("is refused on a file system that is read only", () => {
  expect(() => openDataDirectory({ MIRACLE_HOME: "/proc/miracle" }, "/nowhere")).toThrow("cannot be written");
});
