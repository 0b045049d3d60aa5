import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { Progress } from "./progress.ts";

const said = (errorIsTerminal: boolean) => {
  const terminal = fakeTerminal({ errorIsTerminal, columns: 30 });
  {
    using progress = new Progress(terminal);
    progress.say("running the tests");
    progress.say("running the tests");
    progress.keep("warning: cargo is hidden");
    progress.say("trying 12 mutants of the changed lines");
  }
  return terminal.errors();
};

test("elsewhere than on a terminal each piece of news is a line, and none is told twice", () => {
  expect(said(false)).toBe("running the tests\nwarning: cargo is hidden\ntrying 12 mutants of the changed lines\n");
});

test("on a terminal one line is drawn over, fits, and is gone at the end; a warning stays", () => {
  const text = said(true);
  expect(text).toContain("\r\u001b[Kwarning: cargo is hidden\n");
  expect(text.split("\n")).toHaveLength(2);
  expect(text.endsWith("\r\u001b[K")).toBe(true);
  expect(text).toContain("0s  trying 12 mutants of the");
  expect(text).not.toContain("changed lines");
});
