import type { Answer } from "../../app/prepare-question.ts";
import { type Line, line } from "./line.ts";
import { printable, printableLines } from "./printable.ts";

/** An answer, and below it the places in the code that it names. */
export function answerLines({ answer, places }: Answer): Line[] {
  const said = printableLines(answer).split("\n");
  const named = places.map(({ path, line: number, quote }, index): Line[] => [
    line(`  [${index + 1}] ${printable(path)}:${number}`, "head"),
    line(`      ${printable(quote)}`, "dim"),
  ]);
  return [...said.map((text) => line(text)), ...named.flat()];
}
