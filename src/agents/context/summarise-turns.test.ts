import { expect, test } from "vitest";
import { OPENING, turn } from "../../../test/conversation-builder.ts";
import type { Message } from "../../domain/message.ts";
import { keptWords } from "./kept-words.ts";
import { oldTurns, type Talk, withMessages } from "./summarise-turns.ts";
import { tokensOfMessages } from "./tokens.ts";

const begin = (turns: Message[]): Talk => withMessages({ messages: [], whole: [], kept: 2 }, [...OPENING, ...turns]);
const limits = { window: 4000, output: 500, summaryWindow: 4000 };
const thought = (number: number) => `Decision ${number}: ${"because of this and that, ".repeat(30)}`;
const textOf = (message: Message | undefined) => JSON.stringify(message?.role === "user" ? message.content : message);

test("what rules can make room for is never summarised", () => {
  const long = "x".repeat(2500);
  const turns = Array.from({ length: 8 }, () => turn("search", { pattern: "q" }, long)).flat();
  expect(oldTurns(begin(turns), "coder", [], limits)).toBeNull();
});

test("old turns become one message with files, red tests and own words word for word; the start and the last turns stay", () => {
  const red = "0 passed, 1 red\n\nfailed test_a\nassert 1 == 2";
  const turns = [
    ...turn("create_file", { path: "a.py", content: "pass" }, "wrote a.py", thought(1)),
    ...turn("edit_file", { path: "b.py", oldText: "", newText: "" }, "the text is not in b.py", thought(2)),
    ...turn("run_tests", {}, red, thought(3)),
    ...Array.from({ length: 9 }, (_, at) => turn("search", { pattern: "q" }, "none", thought(4 + at))).flat(),
  ];
  const talk = begin(turns);
  const old = oldTurns(talk, "coder", [], limits);
  expect(old?.request).toMatchObject({ role: "coder", purpose: "summary", tools: [] });
  expect(tokensOfMessages(old?.request.messages ?? [])).toBeLessThanOrEqual(3500);
  const after = old?.replacedBy("The parser is in a.py.");
  expect(after?.messages.slice(0, 2)).toEqual(OPENING);
  expect(after?.messages.slice(3)).toEqual(talk.messages.slice(-6));
  const shown = textOf(after?.messages[2]);
  expect(shown).toContain("written: a.py");
  expect(shown).not.toContain("written: a.py, b.py");
  expect(shown).toContain(JSON.stringify(red).slice(1, -1));
  expect(shown).toContain(thought(8).trim());
  expect(shown).toContain("The parser is in a.py.");
  expect(tokensOfMessages(after?.messages ?? [])).toBeLessThan(tokensOfMessages(talk.messages));
});

test("a second summary is told the first one and only the turns since, and it stays one message", () => {
  const more = (from: number) =>
    Array.from({ length: 12 }, (_, at) =>
      turn("search", { pattern: `p${from + at}` }, "none", thought(from + at)),
    ).flat();
  const first = oldTurns(begin(more(1)), "coder", [], limits)?.replacedBy("What was first.");
  if (!first) throw new Error("no summary was asked for");
  const second = oldTurns(withMessages(first, more(100)), "coder", [], limits);
  const asked = textOf(second?.request.messages[1]);
  expect(asked).toContain("What was first.");
  expect(asked).toContain("Decision 100:");
  expect(asked).not.toContain("Decision 1:");
  const after = second?.replacedBy("All of it.");
  expect(after?.messages.filter(({ role }) => role === "user")).toHaveLength(2);
  expect(textOf(after?.messages[2])).not.toContain("What was first.");
});

test("a model with a smaller window is never sent more than it takes", () => {
  const turns = Array.from({ length: 12 }, (_, at) => turn("search", { pattern: "q" }, "none", thought(at))).flat();
  const old = oldTurns(begin(turns), "coder", [], { ...limits, summaryWindow: 1500 });
  expect(tokensOfMessages(old?.request.messages ?? [])).toBeLessThanOrEqual(1000);
});

test("a file is listed by what was done to it last, and a call that failed did nothing", () => {
  const turns = [
    ...turn("read_file", { path: "a.py" }, "1 x"),
    ...turn("create_file", { path: "a.py", content: "" }, "wrote a.py"),
    ...turn("create_file", { path: "b.py", content: "" }, "wrote b.py"),
    ...turn("delete_file", { path: "b.py" }, "deleted b.py"),
    ...turn("read_file", { path: "c.py" }, "1 x"),
    ...turn("create_file", { path: "d.py", content: "" }, "d.py exists"),
  ];
  expect(keptWords(turns, 100).files).toEqual({ written: ["a.py"], deleted: ["b.py"], read: ["c.py"] });
});
