import type { Call, Handler, Judging } from "../judging/judging.ts";
import { literal } from "../shell/field.ts";
import { judgeWrittenSources } from "./written-file.ts";

const RUNNERS: Record<string, string[]> = {
  python: ["pytest", "py.test", "tox", "nox", "coverage", "green", "nose2", "behave"],
  node: ["vitest", "jest", "mocha", "ava", "tap", "jasmine", "ts-node", "playwright"],
  c: ["ninja", "meson", "bazel"],
};

/** Programs that run what lies in the tree: what the same line wrote there has not been scanned. */
export const testRunnerHandlers: Record<string, Handler> = Object.fromEntries(
  Object.entries(RUNNERS).flatMap(([language, names]) =>
    names.map((name): [string, Handler] => [name, (call, judging) => judgeWrittenSources([language], call, judging)]),
  ),
);

/** `npm test`, `npm run x`: the script of a package.json that the same line wrote. */
export function judgePackageScript(words: Call["words"], call: Call, judging: Judging): void {
  const [first, second] = words.map((field) => literal(field) ?? "");
  const name = /^(run|run-script|rum|urn)$/.test(first ?? "") ? second : first;
  judgeWrittenSources(["node"], call, judging);
  for (const { path, text } of judging.written) {
    judging.step();
    if (text === undefined || name === undefined || !path.endsWith("/package.json")) continue;
    judging.nested(text);
    for (const candidate of [name, `pre${name}`, `post${name}`]) {
      const script = scriptIn(text, candidate);
      if (script !== undefined) judging.script({ ...call.name, pieces: [{ kind: "text", text: script }] }, call);
    }
  }
}

function scriptIn(text: string, name: string): string | undefined {
  const pattern = new RegExp(`"${name.replace(/\W/g, "\\$&")}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`);
  const match = pattern.exec(text)?.[1];
  if (match === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(match);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
