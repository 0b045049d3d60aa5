import fc from "fast-check";
import { expect, test } from "vitest";
import { OPENING, turn } from "../../../test/conversation-builder.ts";
import type { Message } from "../../domain/message.ts";
import { fitContext } from "./fit-context.ts";
import { tokensOfMessages, tokensOfText } from "./tokens.ts";

const limits = { window: 4000, output: 500 };
const contents = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));

test("a conversation with room is left as it is, the same object", () => {
  const messages = [...OPENING, ...turn("read_file", { path: "a.py" }, "short")];
  expect(fitContext(messages, [], 2, limits)).toBe(messages);
});

test("an older view of a file gives way to a newer one, another part of it does not", () => {
  const long = "x".repeat(3000);
  const messages = [
    ...OPENING,
    ...turn("read_file", { path: "a.py" }, long),
    ...turn("read_file", { path: "a.py", fromLine: 1, lines: 900 }, long),
    ...turn("read_file", { path: "a.py" }, long),
    ...turn("read_file", { path: "b.py", fromLine: 1, lines: 50 }, long),
    ...turn("edit_file", { path: "a.py", oldText: "x", newText: "y" }, "edited"),
    ...turn("read_file", { path: "b.py", fromLine: 51, lines: 50 }, long),
  ];
  const fitted = contents(fitContext(messages, [], 2, { window: 6500, output: 500 }));
  const older = "(an older view of a.py: it was read again or changed later)";
  expect(fitted.slice(0, 3)).toEqual([older, older, older]);
  expect(fitted.slice(3)).toEqual([long, "edited", long]);
});

test("what tools answered long ago goes first; briefing, own words and the last test run stay word for word", () => {
  const long = `first line\n${"y".repeat(1500)}`;
  const red = `3 red\n${"test_a failed ".repeat(20)}`;
  const messages = [
    ...OPENING,
    ...turn("run_command", { command: "ls" }, long, "I decide to keep the interface."),
    ...turn("run_tests", {}, red),
    ...turn("create_file", { path: "a.py", content: "z".repeat(2000) }, "created"),
    ...Array.from({ length: 8 }, () => turn("search", { pattern: "q" }, long)).flat(),
  ];
  const fitted = fitContext(messages, [], 2, limits);
  expect(fitted.slice(0, 2)).toEqual(OPENING);
  expect(contents(fitted)[0]).toMatch(/^first line\n\(\d+ characters, left out/);
  expect(contents(fitted)[1]).toBe(red);
  expect(contents(fitted).at(-1)).toBe(long);
  expect(JSON.stringify(fitted)).toContain("I decide to keep the interface.");
  expect(JSON.stringify(fitted)).not.toContain("zzz");
});

test("a briefing that no model could take is refused, with the figures", () => {
  const large: Message[] = [{ role: "user", content: [{ type: "text", text: "w".repeat(20_000) }] }];
  expect(() => fitContext(large, [], 1, limits)).toThrow(/about 66\d\d tokens and the model takes 3500/);
});

test("whatever was said, nothing is sent that is over the window, every answer keeps its call, and fitting again changes nothing", () => {
  const step = fc.record({
    name: fc.constantFrom("read_file", "run_command", "run_tests", "create_file"),
    path: fc.constantFrom("a.py", "b.py"),
    size: fc.integer({ min: 0, max: 9000 }),
    written: fc.integer({ min: 0, max: 4000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const turns = steps.flatMap(({ name, path, size, written }) =>
        turn(name, { path, content: "é".repeat(written / 4) }, "a".repeat(size)),
      );
      let messages: readonly Message[] = OPENING;
      for (let at = 0; at < turns.length; at += 2) {
        messages = fitContext([...messages, ...turns.slice(at, at + 2)], [], 2, { window: 9000, output: 500 });
        expect(tokensOfMessages(messages)).toBeLessThanOrEqual(8500);
      }
      const ids = messages.flatMap((message) =>
        message.role === "assistant" ? message.toolCalls.map(({ id }) => id) : [],
      );
      const answered = messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
      expect(answered).toEqual(ids);
      expect(messages.length).toBe(OPENING.length + turns.length);
      expect(messages.slice(0, 2)).toEqual(OPENING);
      expect(fitContext(messages, [], 2, { window: 9000, output: 500 })).toEqual(messages);
    }),
    { numRuns: 60 },
  );
});

test("no text is counted for less than it is: three plain characters to a token, one of any other", () => {
  expect([tokensOfText(""), tokensOfText("abcd"), tokensOfText("äöü"), tokensOfText("日本")]).toEqual([0, 2, 3, 2]);
});
