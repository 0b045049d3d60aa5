import type { LanguageReader } from "../reading/reading.ts";
import { bindGo } from "./go-bindings.ts";
import { useGo } from "./go-uses.ts";
import { readGo } from "./go-values.ts";

/** Go: packages by their import path, so that `exec.Command` is `os/exec.Command` whatever the import calls it. */
export const go: LanguageReader = {
  scopes: new Map([
    ["function_declaration", "function"],
    ["method_declaration", "function"],
    ["func_literal", "function"],
    ["block", "block"],
    ["for_statement", "block"],
    ["if_statement", "block"],
    ["expression_switch_statement", "block"],
    ["type_switch_statement", "block"],
  ]),
  conditional: new Set(),
  identifier: (written) => written,
  bind: bindGo,
  read: readGo,
  use: useGo,
  // Files of a package are not followed: a name without its package is one of its own.
  exported: () => [],
};
