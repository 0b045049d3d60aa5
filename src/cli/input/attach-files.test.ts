import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { attachFiles } from "./attach-files.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "attach-"));
});
afterEach(() => rmSync(place, { recursive: true }));

test("reads files with their media types", () => {
  writeFileSync(join(place, "Screen.PNG"), "png");
  writeFileSync(join(place, "notes"), "text");
  writeFileSync(join(place, "blob"), Buffer.from([1, 0, 2]));
  expect(attachFiles(["Screen.PNG", "notes", "blob"], place)).toEqual([
    { name: "Screen.PNG", mediaType: "image/png", data: Buffer.from("png").toString("base64") },
    { name: "notes", mediaType: "text/plain", data: Buffer.from("text").toString("base64") },
    { name: "blob", mediaType: "application/octet-stream", data: "AQAC" },
  ]);
});

test("refuses what is missing, no file, or too large, before reading it", () => {
  mkdirSync(join(place, "directory"));
  writeFileSync(join(place, "huge"), "");
  truncateSync(join(place, "huge"), 5_000_000_000);
  expect(() => attachFiles(["nothing"], place)).toThrow("--attach nothing: there is no such file");
  expect(() => attachFiles(["directory"], place)).toThrow("--attach directory: not a regular file");
  expect(() => attachFiles(["huge"], place)).toThrow("--attach huge: all attachments together may have at most 20 MB");
});
