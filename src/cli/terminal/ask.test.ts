import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { ask, confirm } from "./ask.ts";

test("lines that were typed ahead answer the next questions, one each", async () => {
  const terminal = fakeTerminal({ input: "one\r\ntwo\n\nyes" });
  expect(await ask(terminal, "1? ")).toBe("one");
  expect(await ask(terminal, "2? ")).toBe("two");
  expect(await ask(terminal, "3? ")).toBe("");
  expect(await confirm(terminal, "4?"), "the end of the input ends a line").toBe(true);
  expect(await ask(terminal, "5? "), "after the end").toBe("");
  expect(terminal.errors()).toMatch(/^1\? 2\? 3\? 4\? \[y\/N\] /);
});

test("a line may come in parts, cut inside of a letter", async () => {
  const [head, tail] = [Buffer.from("Gr\u00fc\u00dfe\n").subarray(0, 3), Buffer.from("Gr\u00fc\u00dfe\n").subarray(3)];
  const terminal = { ...fakeTerminal(), input: Readable.from([head, tail]) };
  expect(await ask(terminal, "? ")).toBe("Gr\u00fc\u00dfe");
});

test("a question that is taken back rejects, and leaves what is typed later to the next one", async () => {
  const input = new Readable({ read: () => {} });
  const terminal = { ...fakeTerminal(), input };
  const taken = new AbortController();
  const asked = ask(terminal, "? ", taken.signal);
  taken.abort(new Error("taken back"));
  await expect(asked).rejects.toThrow("taken back");
  await expect(ask(terminal, "? ", taken.signal)).rejects.toThrow("taken back");
  input.push("later\n");
  expect(await ask(terminal, "? ")).toBe("later");
});
