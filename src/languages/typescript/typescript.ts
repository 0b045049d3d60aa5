import type { NodeProgram } from "../javascript/find-node.ts";
import { detectScripts, manifest } from "../javascript/javascript.ts";
import { type Dialect, ScriptLanguage } from "../javascript/script-language.ts";

const TYPED = /(?<!\.d)\.[cm]?tsx?$/;
const PLAIN = /(?<!\.config)\.[cm]?jsx?$/;

/** Just surer than JavaScript is of the same project. */
const SURER = 0.03;

/** As Node runs it: what cannot simply be left out of the text is an error already in the editor. */
const COMPILER_OPTIONS = {
  target: "esnext",
  module: "nodenext",
  strict: true,
  noEmit: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
};

const TYPESCRIPT: Dialect = {
  name: "typescript",

  detect(paths) {
    const count = (pattern: RegExp) => paths.filter((path) => pattern.test(path)).length;
    const typed = count(TYPED);
    if (typed < count(PLAIN) || (typed === 0 && !paths.includes("tsconfig.json"))) return 0;
    return detectScripts(paths) + SURER;
  },

  scaffold: () => [
    manifest({ engines: { node: ">=22.18" } }),
    { path: "tsconfig.json", content: `${JSON.stringify({ compilerOptions: COMPILER_OPTIONS }, null, 2)}\n` },
  ],

  source: TYPED,
  checks: [["node_modules/.bin/tsc --noEmit --pretty false -p .", "tsc --noEmit --pretty false -p ."]],
  testEnding: ".test.ts",

  advice: (testCommand) =>
    testCommand.startsWith("node --test")
      ? "Node runs the TypeScript as it is: node:test and node:assert/strict, imports with their `.ts` ending, `import type` for types, no enums, namespaces or parameter properties."
      : "",
};

/** TypeScript: tests of node:test on the types Node strips, or Vitest where the project has it. */
export class TypeScript extends ScriptLanguage {
  constructor(node: NodeProgram) {
    super(TYPESCRIPT, node);
  }
}
