import type { LanguageReader } from "../reading/reading.ts";
import { bindPython } from "./python-bindings.ts";
import { canonical } from "./python-members.ts";
import { usePython } from "./python-uses.ts";
import { readPython } from "./python-values.ts";

/** Python, as far as it can be told without running it. */
export const python: LanguageReader = {
  scopes: new Map([
    ["function_definition", "function"],
    ["lambda", "function"],
    ["class_definition", "class"],
    ["list_comprehension", "block"],
    ["set_comprehension", "block"],
    ["dictionary_comprehension", "block"],
    ["generator_expression", "block"],
  ]),
  conditional: new Set([
    "if_statement",
    "for_statement",
    "while_statement",
    "try_statement",
    "match_statement",
    "conditional_expression",
    "boolean_operator",
    "comparison_operator",
  ]),
  /** Python reads `ｅval` as `eval`. */
  identifier: (written) => (/^[\w$]*$/.test(written) ? written : written.normalize("NFKC")),
  bind: bindPython,
  read: readPython,
  use: usePython,
  exported(reading, member) {
    const bound = reading.boundInModule(member);
    if (bound.length > 0) return bound;
    return reading.starred.flatMap((module) => reading.path(canonical(module), member, false));
  },
};
