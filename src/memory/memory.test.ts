import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { readRecords } from "../../evals/retrieval/records.ts";
import { buildMemory } from "../../test/memory-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { packageRoot } from "../config/package-root.ts";
import { redactor } from "../journal/redact.ts";
import { loadScanRules } from "../safety/scan/scan-rules.ts";
import { importLines } from "./import-lines.ts";

const place = () => join(temporaryDirectory(), "miracle.db");
const keyError = (name: string, line: number) => `  File "/app/${name}.py", line ${line}, in load\nKeyError: '${name}'`;
const mine = { project: "p1", language: "python" };

async function* linesOf(...lines: unknown[]) {
  for (const line of lines) yield typeof line === "string" ? line : JSON.stringify(line);
}

describe("memory", () => {
  test("keeps the same failure once, counts it, and completes it with the fix", async () => {
    await using built = await buildMemory(place());
    const { memory } = built;
    const [first] = await memory.keep([{ error: keyError("price", 3), project: "p1" }]);
    const [second] = await memory.keep([
      { error: keyError("owner", 99), project: "p1", diff: "- a\n+ b", reason: "it is\noptional" },
    ]);
    const [third] = await memory.keep([{ error: keyError("owner", 99), project: "p2" }]);
    expect([first?.isNew, second?.isNew, third?.isNew]).toEqual([true, false, true]);
    expect(second?.record).toMatchObject({ id: first?.record.id, seen: 2, diff: "- a\n+ b", reason: "it is optional" });
  });

  test("finds a past failure for this project, this language and everyone, and no other", async () => {
    await using built = await buildMemory(place());
    const { memory } = built;
    const error = keyError("price", 3);
    await memory.keep([
      { error, id: "mine", project: "p1" },
      { error, id: "theirs", project: "p2" },
      { error, id: "python", scope: "language", language: "python" },
      { error, id: "go", scope: "language", language: "go" },
      { error, id: "all", scope: "global" },
    ]);
    const found = await memory.find({ kind: "lesson", error: keyError("other", 1), for: mine, limit: 9 });
    expect(found.map(({ id }) => id).sort()).toEqual(["all", "mine", "python"]);
    // The names are others.
    expect(found[0]?.similarity).toBeGreaterThan(0.95);
    const any = await memory.find({ kind: "lesson", error, for: "any", limit: 9 });
    expect(any.length).toBe(5);
  });

  test("finds only what is active, and nothing that was forgotten", async () => {
    await using built = await buildMemory(place());
    const { memory } = built;
    await memory.keep([{ error: keyError("a", 1), id: "one", project: "p1" }]);
    const ids = async () =>
      (await memory.find({ kind: "lesson", error: keyError("a", 1), for: mine, limit: 5 })).map(({ id }) => id);
    await memory.setStatus("one", "quarantined");
    expect(await ids()).toEqual([]);
    await memory.keep([{ error: keyError("a", 1), project: "p1" }]);
    expect(await ids()).toEqual([]);
    await memory.setStatus("one", "active");
    expect(await ids()).toEqual(["one"]);
    expect(await memory.forget(["one", "unknown"])).toBe(1);
    expect(await ids()).toEqual([]);
    expect(await memory.get(["one"])).toEqual([]);
  });

  test("holds no secret, neither a known one nor one of a known form", async () => {
    const { secrets } = await loadScanRules(packageRoot());
    const file = place();
    const token = ["ghp", "_k7Qz2mVx9LrT4wYb", "N8cJ5hGdP1sRfE3uAoWt"].join("");
    await using built = await buildMemory(file, { redact: redactor(["hunter2hunter2"]), secretRules: secrets });
    await built.memory.keep([
      {
        error: `Error: login failed with hunter2hunter2 and ${token}`,
        context: token,
        diff: `+ key = "${token}"`,
        reason: token,
      },
    ]);
    for await (const record of built.memory.list()) {
      expect(JSON.stringify(record)).not.toContain(token);
      expect(JSON.stringify(record)).not.toContain("hunter2");
    }
  });

  test("learns weights as it grows, and finds everything with them", async () => {
    await using built = await buildMemory(place());
    const { memory } = built;
    const records = readRecords().slice(0, 80);
    await memory.keep(records.map(({ id, error, language }) => ({ id, error, language, scope: "global" as const })));
    const { weights, vectors, lessons } = await memory.stats();
    const count = lessons.reduce((sum, row) => sum + Number(row.count), 0);
    expect(weights).toEqual({ version: 1, records: count });
    expect(vectors).toEqual({ "hashed-1024.1": count });
    const [hit] = await memory.find({ kind: "lesson", error: records[3]?.error ?? "", for: "any", limit: 1 });
    expect(hit?.similarity).toBeGreaterThan(0.95);
    expect(await memory.reindex()).toBe(count);
    expect((await memory.stats()).vectors).toEqual({ "hashed-1024.2": count });
  });

  test("stays below its cap: the least trusted and longest untouched go", async () => {
    let now = 0;
    await using built = await buildMemory(place(), { mostRecords: 3, clock: () => ++now });
    const { memory } = built;
    const error = (n: number) => `${["Key", "Type", "Value", "Index", "Name"][n]}Error: bad`;
    await memory.keep([{ error: error(0), id: "imported" }], { origin: "imported:x" });
    for (const n of [1, 2, 3, 4]) await memory.keep([{ error: error(n), id: `own${n}` }]);
    const left: string[] = [];
    for await (const { id } of memory.list()) left.push(id);
    expect(left).toEqual(["own4", "own3", "own2"]);
  });

  test("keeps a lesson also when its prose cannot be embedded, and says so", async () => {
    const prose = { model: "broken-4", threshold: 0, embed: () => Promise.reject(new Error("no answer")) };
    await using built = await buildMemory(place(), { prose });
    await built.memory.keep([{ error: keyError("a", 1), reason: "why", project: "p1" }]);
    expect(built.warnings).toEqual([expect.stringContaining("no answer")]);
    expect((await built.memory.find({ kind: "lesson", error: keyError("a", 1), for: mine, limit: 1 })).length).toBe(1);
  });

  test("finds a pattern by its words where there is no sentence model", async () => {
    await using built = await buildMemory(place());
    await built.memory.keep([
      { kind: "pattern", problemType: "parsing", description: "Parse dates with time zones", project: "p1" },
      { kind: "pattern", problemType: "web", description: "Serve files over HTTP", project: "p1" },
    ]);
    const [hit] = await built.memory.find({ kind: "pattern", prose: "read dates from a log", for: mine, limit: 2 });
    expect(hit?.record).toMatchObject({ problemType: "parsing" });
  });
});

describe("an import", () => {
  test("keeps the good lines, refuses the bad ones by number, and gives no trust", async () => {
    await using built = await buildMemory(place());
    const result = await importLines(
      built.memory,
      linesOf(
        { error: keyError("a", 1), id: "x1", trust: 1, origin: "own", status: "active", project: "elsewhere" },
        "not json",
        "[]",
        "",
        { language: "go" },
        { kind: "pattern", problemType: "a", description: "b" },
        { error: keyError("b", 7) },
      ),
      "team.jsonl",
      { scope: "project", project: "p1" },
    );
    expect(result).toMatchObject({ lines: 7, kept: 2, merged: 1 });
    expect(result.refused.map(({ line }) => line)).toEqual([2, 3, 5]);
    expect(result.records.find(({ line }) => line === 7)?.id).toBe("x1");
    const [record] = await built.memory.get(["x1"]);
    expect(record).toMatchObject({ origin: "imported:team.jsonl", trust: 0, project: "p1", scope: "project" });
  });

  test("of an export gives the same records, as imported ones", async () => {
    await using one = await buildMemory(place());
    await using two = await buildMemory(place());
    await one.memory.keep(
      readRecords()
        .slice(0, 20)
        .map(({ error, language, fix }) => ({ error, language, reason: fix, scope: "global" as const })),
    );
    const lines: unknown[] = [];
    for await (const record of one.memory.list()) lines.push(record);
    await importLines(two.memory, linesOf(...lines), "x", { scope: "global", project: "" });
    const copied = [];
    for await (const record of two.memory.list()) copied.push(record.id);
    expect(copied.sort()).toEqual(lines.map((line) => (line as { id: string }).id).sort());
  });
});

test("the record, its words and its vectors are of one transaction", async () => {
  await using built = await buildMemory(place());
  const { memory, store } = built;
  await memory.keep([{ error: keyError("a", 1), id: "one" }]);
  const before = { kind: "lesson", error: "TypeError: bad operand", for: "any", limit: 5 } as const;
  // The second of the two cannot be stored: nothing of the first may stay.
  await sql
    .raw("create trigger stop before insert on failures when new.id = 'bad' begin select raise(abort, 'stop'); end")
    .execute(store.read);
  await expect(
    memory.keep([
      { error: "TypeError: bad operand", id: "good" },
      { error: "ValueError: x", id: "bad" },
    ]),
  ).rejects.toThrow("stop");
  expect(await memory.get(["good"])).toEqual([]);
  expect((await memory.find(before)).map(({ id }) => id)).not.toContain("good");
  expect((await memory.stats()).vectors).toEqual({ "hashed-1024.0": 1 });
});
