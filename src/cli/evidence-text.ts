import type { Evidence } from "../domain/evidence.ts";
import { count } from "./amounts.ts";

const NAMED_TESTS = 3;

/** Each requirement with what shows it, then what else was run: the part of a result a person should read. */
export function evidenceLines({ requirements, suite, accept }: Evidence): string[] {
  const lines = requirements.flatMap(({ id, text, assumption, support, tests }) => {
    const mark = support === "none" ? "✗" : "✓";
    const named = tests.slice(0, NAMED_TESTS).map((test) => test.id);
    const more = tests.length > named.length ? [`and ${tests.length - named.length} more`] : [];
    const how = {
      "red-to-green": "red before, green now",
      held: "held before and holds now",
      none: "nothing shows it",
    };
    const proof = [how[support], [...named, ...more].join(", ")].filter((part) => part !== "").join(": ");
    return [`${mark} ${id} ${text}${assumption ? " (assumption)" : ""}`, `    ${proof}`];
  });
  if (suite.before && suite.after) {
    lines.push(`suite: ${suite.before.passed} passed before, ${suite.after.passed} passed now, ${suite.after.red} red`);
  } else if (suite.after) {
    lines.push(`suite: ${count(suite.after.passed, "test")} passed, ${suite.after.red} red`);
  }
  for (const { command, passed, ending } of accept)
    lines.push(`${passed ? "✓" : "✗"} $ ${command}${passed ? "" : ` (${ending})`}`);
  return lines;
}
