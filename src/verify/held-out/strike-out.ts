import { Sources } from "./unfounded.ts";

/**
 * Takes out of a note for the coder what only a test it may not see could have told: every literal of the test that no
 * source has. What is left is the behaviour in the spec's words.
 */
export function strikeOut(note: string, literals: string[], sources: string[]): string {
  const known = new Sources(sources);
  const secret = [...new Set(literals.flatMap(partsOf))].filter((literal) => !known.hasText(literal));
  // The longest first: a part of a literal must not break the whole.
  return secret
    .sort((a, b) => b.length - a.length)
    .reduce((text, literal) => text.replace(patternOf(literal), "…"), note);
}

/** A literal as a whole, and its lines and words where it has several: a note may quote a part. */
function partsOf(literal: string): string[] {
  const trimmed = literal.trim();
  const lines = trimmed.split(/\\n|\n/).map((line) => line.trim());
  const words = trimmed.match(/[\p{L}\p{N}_.-]{3,}/gu) ?? [];
  return [trimmed, ...lines, ...words].filter((part) => part !== "" && !/^\p{P}$/u.test(part));
}

function patternOf(literal: string): RegExp {
  const plain = literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const before = /^\w/.test(literal) ? "(?<![\\w.])" : "";
  const after = /\w$/.test(literal) ? "(?![\\w]|\\.\\d)" : "";
  return new RegExp(`${before}${plain}${after}`, "giu");
}
