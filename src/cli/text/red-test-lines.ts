import { failedAssertion } from "../../domain/evidence/failed-assertion.ts";
import { type Line, line } from "./line.ts";
import { printable } from "./printable.ts";

export interface RedTest {
  id: string;
  message: string;
}

const NAMED_TESTS = 3;

/** The first red tests, each with the assertion that failed: its name alone says nothing to a person. */
export function redTestLines(red: RedTest[]): Line[] {
  const named = red
    .slice(0, NAMED_TESTS)
    .flatMap(({ id, message }) => [
      line(`  ✗ ${printable(id)}`),
      ...failedAssertion(message).map((text) => line(`      ${printable(text)}`, "bad")),
    ]);
  const more = red.length - NAMED_TESTS;
  return more > 0 ? [...named, line(`  and ${more} more`, "dim")] : named;
}
