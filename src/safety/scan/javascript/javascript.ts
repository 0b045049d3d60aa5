import { unescaped } from "../reading/fold-text.ts";
import type { LanguageReader } from "../reading/reading.ts";
import { union } from "../reading/value.ts";
import { bindJavaScript } from "./javascript-bindings.ts";
import { FUNCTIONS } from "./javascript-functions.ts";
import { moduleNamed } from "./javascript-members.ts";
import { useJavaScript } from "./javascript-uses.ts";
import { readJavaScript } from "./javascript-values.ts";

const BLOCKS = [
  "statement_block",
  "for_statement",
  "for_in_statement",
  "switch_body",
  "catch_clause",
  "class_static_block",
];

/** JavaScript and TypeScript, as far as they can be told without running them. */
export const javascript: LanguageReader = {
  scopes: new Map([
    ...[...FUNCTIONS].map((type) => [type, "function"] as const),
    ...BLOCKS.map((type) => [type, "block"] as const),
  ]),
  conditional: new Set([
    "if_statement",
    "while_statement",
    "do_statement",
    "switch_statement",
    "try_statement",
    "ternary_expression",
    "for_statement",
    "for_in_statement",
  ]),
  /** `\u0065val` is `eval`. */
  identifier: (written) =>
    written.includes("\\") ? written.replace(/\\u(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,6}\})/g, unescaped) : written,
  bind: bindJavaScript,
  read: readJavaScript,
  use: useJavaScript,
  exported(reading, member) {
    const named = reading.exports.get(member);
    if (named) return named();
    const bound = reading.boundInModule(member);
    if (bound.length > 0) return bound;
    // `module.exports.run = …`, `module.exports = { run: … }`
    const assigned = reading.recall(member);
    if (assigned.length > 0) return union(...assigned);
    return reading.starred.flatMap((module) => reading.path(moduleNamed(module), member, false));
  },
};
