import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { screen } from "../../../test/screen.ts";
import { ask } from "./ask.ts";
import { openView } from "./live-view.ts";
import { Typing } from "./typing.ts";

/** A terminal's input that keeps what was made of it. */
function keyboard() {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => modes.push(on) });
  return { input, modes };
}

function typed(...keys: string[]): { lines: string[]; left: string | undefined } {
  const { input } = keyboard();
  const lines: string[] = [];
  using typing = new Typing(input, { onChange: () => {}, onLine: (words) => lines.push(words) });
  for (const key of keys) input.emit("data", Buffer.from(key));
  return { lines, left: typing.text };
}

test("keys become lines, mended with backspace and the keys that delete a word or all of it", () => {
  expect(typed("use ", "abs()\r", "\r", "and")).toEqual({ lines: ["use abs()"], left: "and" });
  expect(typed("abx\u007fs()\u001b[D\u001b[A\u001bOP")).toEqual({ lines: [], left: "abs()" });
  expect(typed("one two\u0017three\r", "gone\u0015")).toEqual({ lines: ["one three"], left: "" });
  expect(typed("e\u0301\u007f\u{1f469}\u200d\u{1f4bb}\u007f"), "letters as a person counts them").toEqual({
    lines: [],
    left: "",
  });
  expect(typed("first\rsecond\rthird\r"), "a pasted text is one message").toEqual({
    lines: ["first second third"],
    left: "",
  });
});

test("a letter that comes in two parts is one letter", () => {
  const { input } = keyboard();
  using typing = new Typing(input, { onChange: () => {}, onLine: () => {} });
  for (const byte of Buffer.from("ü")) input.emit("data", Buffer.from([byte]));
  expect(typing.text).toBe("ü");
});

test("what is typed stands in the last line of the live area, and a question has the terminal to itself", async () => {
  const { input, modes } = keyboard();
  const lines: string[] = [];
  const fake = fakeTerminal({ errorIsTerminal: true, columns: 40, env: { NO_COLOR: "1" } });
  const terminal = { ...fake, input };
  {
    using view = openView(terminal, { mode: "live", now: () => 0, onTyped: (words) => lines.push(words) });
    view.note("a line of the run");
    expect(screen(fake.errors()).at(-1)).toMatch(/^> say something/);
    input.emit("data", "use a much longer name than fits into forty columns");
    expect(screen(fake.errors()).at(-1)).toBe("> r name than fits into forty columns▏");
    const answer = view.aside(() => ask(terminal, "Go on? "));
    input.write("yes\n");
    expect(await answer).toBe("yes");
    input.emit("data", "\r");
  }
  expect(lines).toEqual(["use a much longer name than fits into forty columns"]);
  expect(modes).toEqual([true, false, true, false]);
});

test("where nobody listens, the terminal stays as it is", () => {
  const { input, modes } = keyboard();
  using view = openView({ ...fakeTerminal({ errorIsTerminal: true }), input }, { mode: "live" });
  view.note("a line of the run");
  expect(modes).toEqual([]);
});
