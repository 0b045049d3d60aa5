import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readReport } from "./read-report.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "miracle-report-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("reads a plain file", () => {
  writeFileSync(join(directory, "report"), "lines");
  expect(readReport(join(directory, "report"))).toBe("lines");
});

test("is null when there is none", () => {
  expect(readReport(join(directory, "report"))).toBeNull();
});

test("never follows a link", () => {
  writeFileSync(join(directory, "secret"), "secret");
  symlinkSync("secret", join(directory, "report"));
  expect(readReport(join(directory, "report"))).toBeNull();
  linkSync(join(directory, "secret"), join(directory, "hard"));
  expect(readReport(join(directory, "hard"))).toBeNull();
});

test("never waits for a pipe, nor reads a directory", () => {
  execFileSync("mkfifo", [join(directory, "report")]);
  mkdirSync(join(directory, "folder"));
  expect(readReport(join(directory, "report"))).toBeNull();
  expect(readReport(join(directory, "folder"))).toBeNull();
});

test("reads no more than it can hold", () => {
  writeFileSync(join(directory, "report"), "first");
  truncateSync(join(directory, "report"), 5_000_000_000);
  expect(readReport(join(directory, "report"))?.length).toBe(16 * 1024 * 1024);
});
