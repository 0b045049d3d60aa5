import { expect, test } from "vitest";
import { type FakeTerminalOptions, fakeTerminal } from "../../../test/fake-terminal.ts";
import type { RunEnd } from "../../app/run-options.ts";
import { wholeProgram } from "../command-line.ts";
import { stay } from "./stay.ts";

const end: RunEnd = {
  task: "t000000001",
  ended: "settled",
  outcome: { status: "proven", tree: "r", delivery: { applied: true } },
};

async function staying(
  input: string,
  given: { words?: string; flags?: object; keepable?: number; end?: RunEnd; terminal?: FakeTerminalOptions } = {},
) {
  const fake = fakeTerminal({ input, inputIsTerminal: true, errorIsTerminal: true, ...given.terminal });
  const terminal = { ...fake, output: { ...fake.output, isTTY: true } };
  const called: string[][] = [];
  const call = async (words: string[]) => {
    called.push(words);
    return 7;
  };
  const context = { terminal, finish: () => {}, call, program: () => wholeProgram(terminal) };
  const exit = await stay(context, { end, exit: 0, flags: {}, ...given });
  return {
    exit,
    called,
    asked: fake.errors().includes("Next:"),
    keeps: fake.errors().includes("did not see"),
    said: fake.errors(),
  };
}

test("words that a person says next go on from the result, and end with its exit code", async () => {
  const goOn = ["continue", "t000000001", "--as-before", "--", "and now --json"];
  expect(await staying("and now --json\n")).toMatchObject({ exit: 7, called: [goOn] });
  // The rest of what the task was asked with stands in its journal.
  const flags = { maxCost: 1, timeout: "5m", notify: "ring", keepTests: false };
  expect((await staying("and now --json\n", { flags })).called).toEqual([
    ["continue", "t000000001", "--as-before", "--max-cost", "1", "--timeout", "5m", "--notify", "ring"].concat([
      "--no-keep-tests",
      "--",
      "and now --json",
    ]),
  ]);
  const said = { words: "and now --json" };
  expect(await staying("", said), "said at the diff already").toMatchObject({
    exit: 7,
    called: [goOn],
    asked: false,
    said: expect.stringContaining("What you said is worked in now."),
  });
});

test("a question is answered, a command of the task is done, and an empty line leaves", async () => {
  expect(await staying("\n")).toMatchObject({ exit: 0, called: [] });
  expect((await staying("where is it?\n")).called).toEqual([["ask", "--task", "t000000001", "--", "where is it?"]]);
  expect((await staying("undo\n")).called).toEqual([["undo", "t000000001"]]);
});

test("a command is that command and no goal, and help says what can be said", async () => {
  const called = async (input: string) => (await staying(input)).called;
  expect(await called("miracle undo t000000001\n\n")).toEqual([["undo", "t000000001"]]);
  expect(await called("undo t000000001\n\n")).toEqual([["undo", "t000000001"]]);
  const goals = ["undo the last rename", "miraculous sums"];
  for (const goal of goals)
    expect(await called(`${goal}\n`)).toEqual([["continue", "t000000001", "--as-before", "--", goal]]);
  const quoted = `miracle tell 'use "httpx"' --for "it's"\n\n`;
  expect(await called(quoted)).toEqual([["tell", 'use "httpx"', "--for", "it's"]]);
  expect(await staying('miracle run "and more"\nundo\n'), "it stays itself").toMatchObject({
    exit: 7,
    called: [["run", "and more"]],
  });
  for (const help of ["help", "?"]) {
    const { called, said, exit } = await staying(`${help}\n\n`);
    expect({ called, exit }).toEqual({ called: [], exit: 0 });
    expect(said).toContain("What can be said here");
  }
});

test("nobody is asked where nobody is there, or only the result is wanted", async () => {
  for (const flags of [{ json: true }, { quiet: true }, { yes: true }]) {
    expect(await staying("more\n", { flags })).toMatchObject({ exit: 0, called: [], asked: false });
  }
  expect(await staying("more\n", { terminal: { inputIsTerminal: false } })).toMatchObject({ asked: false });
});

test("tests that the coder did not see are offered once, and a yes adds them", async () => {
  const keep = ["apply", "t000000001", "--keep-tests"];
  expect(await staying("y\n\n", { keepable: 3 })).toMatchObject({ exit: 0, called: [keep], keeps: true });
  expect(await staying("\n", { keepable: 3 })).toMatchObject({ called: [], keeps: true });
  expect((await staying("\n", { keepable: 1 })).said).toMatch(
    /Add the test that the coder did not see to the project, too\? miracle prove counts only tests that are there/,
  );
  for (const given of [{ keepable: 0 }, { keepable: 3, flags: { keepTests: false } }]) {
    expect(await staying("\n\n", given)).toMatchObject({ called: [], keeps: false });
  }
});

test("what is said at the offer of tests instead of yes or no is understood", async () => {
  expect(await staying("undo\n\n", { keepable: 3 })).toMatchObject({ called: [["undo", "t000000001"]], keeps: true });
  expect((await staying("and now --json\n", { keepable: 3 })).called).toEqual([
    ["continue", "t000000001", "--as-before", "--", "and now --json"],
  ]);
  expect(await staying("n\n\n", { keepable: 3 })).toMatchObject({ exit: 0, called: [], asked: true });
  expect((await staying("n\nundo\n\n", { keepable: 3 })).called).toEqual([["undo", "t000000001"]]);
});

test("a result that met changes of the person's own is offered as a merge of both", async () => {
  const failure = { kind: "policy" as const, code: "apply.conflict", message: "a.py changed since the task started" };
  const delivery = { applied: false as const, reason: "conflict" as const, failure };
  const conflict: RunEnd = { ...end, outcome: { status: "proven", tree: "r", delivery } };
  expect((await staying("y\n", { end: conflict })).called).toEqual([["apply", "t000000001", "--merge"]]);
  expect((await staying("\n", { end: conflict })).called).toEqual([]);
  expect((await staying("undo\n\n", { end: conflict })).called, "words").toEqual([["undo", "t000000001"]]);
  expect((await staying("and now --json\n", { end: conflict })).called, "words").toEqual([
    ["continue", "t000000001", "--as-before", "--", "and now --json"],
  ]);
  expect(await staying("n\n\n", { end: conflict })).toMatchObject({ exit: 0, called: [], asked: true });
});
