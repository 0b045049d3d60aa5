import type { LineRange } from "../../domain/line-range.ts";
import type { Mutant } from "../../domain/mutant-report.ts";
import type { SourceFile } from "../../languages/language.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";

/** Every mutant of these lines, in the order in which they should run; none for a file in a language we do not mutate. */
export async function makeMutants(
  _file: SourceFile,
  _lines: readonly LineRange[],
  _parsers: SyntaxParsers,
): Promise<Mutant[]> {
  throw new Error("mutants are not made yet");
}
