import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isMet, median, type Row } from "../bench/measurement.ts";
import { table } from "../bench/table.ts";
import { packageRoot } from "../src/config/package-root.ts";

const row: Row = { name: "start", what: "start ÷ floor", value: 1.75, unit: "×", bar: 1.6, detail: "175 ms" };

test("a benchmark measures every row but the long one, ends by itself and leaves nothing behind", () => {
  const before = places();
  const names = [
    ...[
      "version",
      "package",
      "packages",
      "start",
      "gap",
      "end",
      "turns",
      "turns-processor",
      "prompt",
      "gap-large",
      "memory",
      "journal",
      "journal-fsync",
      "schedule",
      "sandbox",
    ],
    ...["scan", "scan-ratio", "fix-calls", "fix-tokens"],
  ];
  const { stdout, stderr, status } = bench(
    "--rounds",
    "1",
    "--cold",
    "--json",
    ...names.flatMap((name) => ["--only", name]),
  );
  expect(stderr).not.toContain("Error");
  expect(status).toBe(0);
  const { rows }: { rows: Row[] } = JSON.parse(stdout);
  expect(rows.map(({ name }) => name)).toEqual(names);
  expect(rows.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
  expect(places()).toEqual(before);
});

test("--only takes the names of rows and nothing else", () => {
  const { stderr } = bench("--only", "speed");
  expect(stderr).toContain("--only knows no speed");
  expect(stderr).toContain("fix-tokens, mutants, mutants-processor, mutants-ratio");
});

test("a row says whether its bar is met and by how much it is missed", () => {
  expect(isMet(row)).toBe(false);
  expect(table([row])).toMatch(/1\.75 × +≤ 1\.60 × +short by 0\.15 × +175 ms$/);
  expect(table([{ ...row, value: 1.6 }])).toMatch(/1\.60 × +≤ 1\.60 × +ok +175 ms$/);
  expect(table([{ ...row, bar: null }])).toMatch(/1\.75 × +– +– +175 ms$/);
});

test("the median of an even number of values lies between the two in the middle", () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});

function bench(...args: string[]) {
  return spawnSync(process.execPath, [join(packageRoot(), "bench/run.ts"), ...args], { encoding: "utf8" });
}

const places = () => readdirSync(tmpdir()).filter((name) => name.startsWith("miracle-bench-"));
