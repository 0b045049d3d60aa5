import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { JournalBuilder } from "../../../test/journal-builder.ts";
import { nextMessage } from "../../engine/hands/next-message.ts";
import { Run } from "../../engine/hands/run.ts";
import type { Journal } from "../../journal/journal.ts";
import { listMessages, MessageBook } from "../../journal/messages.ts";
import type { Store } from "../../store/store.ts";
import { findTask } from "../../store/tasks.ts";
import { runCommandLine } from "../command-line.ts";
import { EXIT } from "../text/exit-codes.ts";

let home: string;
let store: Store;
let journal: Journal;
let builder: JournalBuilder;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "miracle-tell-"));
  builder = new JournalBuilder(home);
  store = await builder.store();
  journal = await builder.create(store);
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

async function tell(words: string[], input = "", directory = home) {
  const env = { MIRACLE_HOME: home, PATH: process.env.PATH ?? "", MY_TOKEN: "hunter2-hunter2" };
  const terminal = fakeTerminal({ directory, home, env, input });
  const code = await runCommandLine(["tell", ...words], terminal);
  return { code, told: terminal.outputs(), errors: terminal.errors() };
}

const texts = async () =>
  (await listMessages(store, journal.task)).map(({ text, heardAt }) => [text, heardAt !== null]);

test("without an id the newest task of this directory is told, and an id that no task has is no message", async () => {
  const { directory } = await findTask(store, journal.task);
  const here = await tell(["use", "httpx"], "", directory);
  expect(here).toMatchObject({ code: EXIT.done, told: expect.stringContaining(`told task ${journal.task}`) });
  expect((await texts()).map(([text]) => text)).toEqual(["use httpx"]);
  expect(await tell(["t0k3x9a1", "use httpx"], "", directory)).toMatchObject({ code: EXIT.badInput, told: "" });
  expect((await tell(["use", "httpx"], "", tmpdir())).errors).toContain("no task was started in this directory");
});

test("messages wait in the order in which they were told, and each is heard once, also after a crash", async () => {
  expect(await tell([journal.task, "no", "negative", "numbers"])).toMatchObject({ code: EXIT.done });
  expect((await tell([journal.task, "-"], "use httpx\n")).told).toContain(`told task ${journal.task}`);
  expect(await texts()).toEqual([
    ["no negative numbers", false],
    ["use httpx", false],
  ]);
  const heardBy = async (one: Journal) => {
    const messages = new MessageBook(store, one.task);
    return one.run("task", async (strand) => {
      const run = new Run(strand, { journal: one, messages });
      const said: (string | undefined)[] = [];
      for (let round = 0; round < 3; round += 1) said.push((await nextMessage(run))?.message.text);
      return said;
    });
  };
  const all = ["no negative numbers", "use httpx", undefined];
  expect(await heardBy(journal)).toEqual(all);
  expect(await texts()).toEqual([
    ["no negative numbers", true],
    ["use httpx", true],
  ]);
  // Whoever takes the task over finds in the record what was heard, and hears nothing of it again.
  expect(await heardBy(await builder.resume(store, journal.task))).toEqual(all);
  await tell([journal.task, "a third"]);
  expect(await heardBy(await builder.resume(store, journal.task))).toEqual([...all.slice(0, 2), "a third"]);
});

test("what was recorded before anybody spoke is passed without hearing anything", async () => {
  const messages = new MessageBook(store, journal.task);
  const work = (one: Journal) =>
    one.run("task", async (strand) => {
      const run = new Run(strand, { journal: one, messages });
      const before = await nextMessage(run);
      await strand.step({ kind: "decision", name: "work", input: 1, output: z.null() }, async () => null);
      return [before, (await nextMessage(run))?.message.text];
    });
  expect(await work(journal)).toEqual([null, undefined]);
  await tell([journal.task, "no negative numbers"]);
  expect(await work(await builder.resume(store, journal.task))).toEqual([null, "no negative numbers"]);
});

test("a message is heard once more when a resume diverges and leaves behind the step that heard it", async () => {
  const messages = new MessageBook(store, journal.task);
  const work = (one: Journal, input: string) =>
    one.run("task", async (strand) => {
      const run = new Run(strand, { journal: one, messages });
      const said = [(await nextMessage(run))?.message.text];
      await strand.step({ kind: "checkpoint", name: "point", input: null, output: z.null() }, async () => null);
      said.push((await nextMessage(run))?.message.text);
      await strand.step({ kind: "decision", name: "work", input, output: z.null() }, async () => null);
      return said;
    });
  await tell([journal.task, "first"]);
  await tell([journal.task, "second"]);
  const both = ["first", "second"];
  expect(await work(journal, "old")).toEqual(both);
  expect(await work(await builder.resume(store, journal.task), "new")).toEqual(both);
  expect(await texts()).toEqual([
    ["first", true],
    ["second", true],
  ]);
});

test("a task that is over hears nothing more, and the person is told what to do instead", async () => {
  await store.write(async (tx) => {
    await tx.updateTable("tasks").set({ status: "proven" }).where("id", "=", journal.task).execute();
  });
  const { code, errors } = await tell([journal.task, "one more thing"]);
  expect(code).toBe(EXIT.badInput);
  expect(errors).toContain("is over (proven) and hears nothing more: `miracle continue");
  expect(await texts()).toEqual([]);
});

test("what is no message is refused in one line", async () => {
  const refused = async (words: string[], input?: string) => {
    const { code, errors } = await tell(words, input);
    expect(code).toBe(EXIT.badInput);
    expect(errors.trim().split("\n")).toHaveLength(1);
    return errors;
  };
  expect(await refused([journal.task])).toContain("the message is empty");
  expect(await refused([journal.task, " \0 "])).toContain("the message is empty");
  expect(await refused([journal.task, "-"], "x".repeat(1_000_000))).toContain("longer than 20,000 characters");
  expect(await refused(["t00000000", "hello"])).toContain("there is no task t00000000");
  expect(await texts()).toEqual([]);
});
