import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { runCommandLine } from "../command-line.ts";
import { EXIT } from "../text/exit-codes.ts";

function commands() {
  const home = temporaryDirectory();
  // The sentence model has tests of its own.
  mkdirSync(join(home, ".config", "miracle"), { recursive: true });
  writeFileSync(join(home, ".config", "miracle", "config.yaml"), "memory: { embeddings: { provider: none } }\n");
  return async (words: string[], { input = "", directory = home } = {}) => {
    const terminal = fakeTerminal({
      directory,
      home,
      env: { MIRACLE_HOME: home, PATH: process.env.PATH ?? "" },
      input,
    });
    const code = await runCommandLine(["memory", ...words], terminal);
    return { code, output: terminal.outputs(), errors: terminal.errors() };
  };
}

const line = (record: unknown) => `${JSON.stringify(record)}\n`;
const error = "Traceback (most recent call last):\n  File \"/a/b.py\", line 3, in f\nKeyError: 'price'";

test("what is imported is found by a like error, with its scores, and is gone once forgotten", async () => {
  const memory = commands();
  const input =
    line({ id: "k1", error, language: "python" }) + line({ error: "panic: runtime error: index out of range [1]" });
  const imported = await memory(["import", "-", "--json"], { input });
  expect(imported.code).toBe(EXIT.done);
  expect(JSON.parse(imported.output)).toMatchObject({ kept: 2, merged: 0, refused: [] });
  const sought = ["search", "--json", "--language", "python"];
  const found = await memory(sought, { input: "File \"/x/y.py\", line 7, in g\nKeyError: 'owner'" });
  const [first] = JSON.parse(found.output).results;
  expect(first).toMatchObject({ id: "k1", byVector: 1, byWords: 1, record: { trust: 0, origin: "imported:stdin" } });
  expect(first.similarity).toBeGreaterThan(0.9);
  expect((await memory(["show", "k1"])).output).toContain("KeyError: 'price'");
  expect((await memory(["list"])).output).toContain("k1");
  expect((await memory(["forget", "k1"])).output).toBe("forgot 1 record\n");
  expect((await memory(["show", "k1"])).errors).toContain("there is no record k1");
  expect((await memory(["stats"])).output).toContain("lessons: 1 active, project");
});

test("what is of one project is not found in another, unless everything is asked for", async () => {
  const memory = commands();
  await memory(["import", "-"], { input: line({ id: "k1", error }) });
  const elsewhere = { directory: temporaryDirectory() };
  expect((await memory(["search", "KeyError:", "'x'"], elsewhere)).errors).toBe("nothing like that is known\n");
  expect((await memory(["list"], elsewhere)).output).toBe("");
  expect((await memory(["search", "--all", "KeyError:", "'x'"], elsewhere)).output).toContain("k1");
});

test("an export can be imported elsewhere, and a bad line is told by its number", async () => {
  const [one, two] = [commands(), commands()];
  await one(["import", "-"], { input: line({ id: "k1", error }) });
  const { output } = await one(["export"]);
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "team.jsonl"), `${output}{"nothing": 1}\n`);
  const imported = await two(["import", "team.jsonl", "--scope", "global"], { directory });
  expect(imported).toMatchObject({ code: EXIT.notProven, output: "kept 1, known already 0, refused 1\n" });
  expect(imported.errors).toContain("line 2 is refused: error:");
  expect((await two(["show", "k1", "--json"])).output).toContain('"origin":"imported:team.jsonl"');
  expect((await two(["import", "missing.jsonl"])).errors).toContain("missing.jsonl cannot be read");
});

test("a file does not decide who may find its records, and that is told", async () => {
  const run = commands();
  const imported = await run(["import", "-"], { input: line({ id: "k1", error, scope: "global" }) });
  expect(imported.errors).toContain("1 line had another scope; what is imported is for this project alone");
  const { output } = await run(["list"]);
  expect(output).toContain("lesson, project\n    KeyError: ");
  expect(output).not.toContain("KeyError: KeyError");
  expect((await run(["import", "-", "--scope", "global"], { input: line({ error, scope: "global" }) })).errors).toBe(
    "",
  );
});
