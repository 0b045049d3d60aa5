import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { parse } from "unbash";
import { describe, expect, test } from "vitest";
import { readingsOf } from "./command-readings.ts";
import { literal } from "./field.ts";
import { readScope } from "./scope.ts";

/** What we read out of a line, and what the shell hands to a program. */
function readBoth(lines: string[]): { ours: (string | undefined)[][][]; shells: string[][] } {
  const ours = lines.map((line) => {
    const script = parse(line);
    const command = script.commands.at(-1)?.command;
    if (command?.type !== "Command") return [];
    const around = {
      scope: readScope(script),
      directories: ["/workspace"],
      within: undefined,
      resolving: new Set<string>(),
      step: () => {},
    };
    const readings = readingsOf(command, around) ?? [];
    return readings.map((fields) => fields.slice(1).map(literal));
  });
  // One shell for all lines; patterns and the home directory stay as they are written.
  const program = lines.map((line) => `( ${line}\n); printf '\\1'`).join("\n");
  const prelude = "set -f; unset HOME; show() { for word; do printf '%s\\2' \"$word\"; done; }\n";
  const output = execFileSync("bash", ["--norc", "-c", prelude + program], {
    encoding: "utf8",
    env: { LC_ALL: "C.UTF-8" },
  });
  const shells = output
    .split("\u0001")
    .slice(0, -1)
    .map((row) => row.split("\u0002").slice(0, -1));
  return { ours, shells };
}

const letters = fc.stringMatching(/^[a-z/.-]{1,4}$/);
const plain = fc.oneof(
  letters,
  letters.map((text) => `'${text} ${text}'`),
  letters.map((text) => `"${text}"`),
  letters.map((text) => `\\${text}`),
  letters.map((text) => `"a\\"${text}\\\\b"`),
  letters.map((text) => `$'${text}\\t\\x72\\155\\u0041'`),
  letters.map((text) => `"$v${"/"}${text}"`),
  fc.constantFrom("$v", "$w", '"$w"', "''", '""'),
  fc
    .constantFrom("v", "v:0:1", "v:1", "w,,", "v#r", "v%m", "w/B/x", "w//B/x", "v:-x", "v+y")
    .map((text) => `\${${text}}`),
);
const braced = fc.array(plain, { minLength: 1, maxLength: 3 }).map((items) => `{${items.join(",")}}`);
const word = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: plain },
      { weight: 1, arbitrary: braced },
      { weight: 1, arbitrary: fc.constantFrom("{1..3}", "{a..c}", "{}", "{a", "a}") },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(""));
const line = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `v=rm; w="A B"; show ${words.join(" ")}`);

describe("the words of a command", () => {
  test("are those that bash hands to a program, wherever we claim to know them", () => {
    const lines = fc.sample(line, { numRuns: 400, seed: 7 });
    const { ours, shells } = readBoth(lines);
    expect(shells).toHaveLength(lines.length);
    let known = 0;
    lines.forEach((text, index) => {
      const readings = ours[index] ?? [];
      if (readings.length !== 1 || readings[0]?.some((field) => field === undefined)) return;
      known += 1;
      expect({ text, words: readings[0] }).toEqual({ text, words: shells[index] });
    });
    // The comparison would be worthless if we claimed to know nothing.
    expect(known).toBeGreaterThan(300);
  });
});
