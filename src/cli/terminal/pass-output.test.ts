import { describe, expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { passOutput } from "./pass-output.ts";

function terminal(output: { isTTY: boolean; writableLength?: number }) {
  const written: (string | Uint8Array)[] = [];
  const fake = fakeTerminal();
  return { ...fake, output: { ...output, write: (text: string | Uint8Array) => written.push(text) }, written };
}

describe("the output of a command", () => {
  test("goes byte by byte into a pipe", () => {
    const to = terminal({ isTTY: false });
    passOutput(to).pass("stdout", Buffer.from([0, 0x1b, 0xff, 10]));
    expect(to.written).toEqual([Buffer.from([0, 0x1b, 0xff, 10])]);
  });

  test("cannot steer a terminal, and keeps characters that come in two pieces", () => {
    const to = terminal({ isTTY: true });
    const output = passOutput(to);
    const bytes = Buffer.from("a\u001b]0;title\u0007\u001b[2Jé\nb");
    const cut = bytes.indexOf(0xc3) + 1;
    output.pass("stdout", bytes.subarray(0, cut));
    output.pass("stdout", bytes.subarray(cut));
    output.end();
    expect(to.written.join("")).toBe("a]0;title[2Jé\nb");
  });

  test("does not pile up before a reader that is too slow, and says what is missing", () => {
    const to = terminal({ isTTY: false, writableLength: 100 * 1024 * 1024 });
    const output = passOutput(to);
    output.pass("stdout", Buffer.alloc(1000));
    output.end();
    expect(to.written).toEqual([]);
    expect(to.errors()).toBe("miracle: 1000 bytes of output are left out, because nobody read them\n");
  });
});
