import type { NodeProgram } from "./find-node.ts";
import { type Dialect, ScriptLanguage, SOURCE } from "./script-language.ts";

/** How sure these paths are a project that Node runs, in whichever dialect. */
export function detectScripts(paths: string[]): number {
  if (paths.includes("package.json")) return 0.85;
  const sources = paths.filter((path) => SOURCE.test(path)).length;
  return paths.length === 0 ? 0 : Math.min(0.8, sources / paths.length + (sources > 0 ? 0.2 : 0));
}

/** The manifest of a new project. */
export const manifest = (more: object = {}) => ({
  path: "package.json",
  content: `${JSON.stringify({ private: true, type: "module", ...more, scripts: { test: "node --test" } }, null, 2)}\n`,
});

const JAVASCRIPT: Dialect = {
  name: "javascript",
  detect: detectScripts,
  scaffold: () => [manifest()],
  source: SOURCE,
  checks: [
    ["find . -name node_modules -prune -o -regextype egrep -regex '.*[.][cm]?js' -print | xargs -rn1 node --check"],
  ],
  testEnding: ".test.js",
};

/** JavaScript; also a project that is partly TypeScript. */
export class JavaScript extends ScriptLanguage {
  constructor(node: NodeProgram) {
    super(JAVASCRIPT, node);
  }
}
