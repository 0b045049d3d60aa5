import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { Progress } from "./progress.ts";

const said = (errorIsTerminal: boolean) => {
  const terminal = fakeTerminal({ errorIsTerminal, columns: 30 });
  {
    using progress = new Progress(terminal);
    progress.say("running the tests");
    progress.say("running the tests");
    progress.keep("warning: cargo is hidden in the sandbox");
    progress.say("trying 12 mutants of the changed lines");
  }
  return terminal.errors();
};

test("elsewhere than on a terminal each piece of news is a line, and none is told twice", () => {
  expect(said(false)).toBe(
    "running the tests\nwarning: cargo is hidden in the sandbox\ntrying 12 mutants of the changed lines\n",
  );
});

test("on a terminal one line is drawn over, fits, and is gone at the end; a warning stays", () => {
  const text = said(true);
  const [head, tail] = ["warning: cargo is hidden in", "  the sandbox"].map((part) => `\u001b[33m${part}\u001b[0m\n`);
  expect(text, "broken between words, in colour").toContain(`\r\u001b[K${head}${tail}`);
  expect(text.split("\n")).toHaveLength(3);
  expect(text.endsWith("\r\u001b[K")).toBe(true);
  expect(text).toContain("0s  trying 12 mutants of the");
  expect(text).not.toContain("changed lines");
});
