import type { IntegrityFinding } from "../../domain/evidence-document.ts";
import { alterExpectations } from "../locks/alter-expectations.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRuns } from "./run-suites.ts";
import type { SuiteRunner } from "./suite-runner.ts";

/**
 * Tests that expect another value must be red. One that is red so on the old code and green on the new has met a result
 * that is equal to everything: the code was changed to please its tests.
 */
export async function runAltered(
  parts: Pick<ProveParts, "artifacts" | "task" | "parsers">,
  suite: SuiteRunner,
  { base, result }: { base: string; result: string },
  runs: SuiteRuns,
): Promise<IntegrityFinding[]> {
  const { artifacts, task, parsers } = parts;
  const green = new Map(runs.after?.tests.filter(({ outcome }) => outcome === "passed").map((test) => [test.id, test]));
  const altered: { path: string; content: string }[] = [];
  const names = new Set<string>();
  for (const path of new Set([...green.values()].map(({ file }) => file))) {
    const text = artifacts.readFile(result, path)?.toString("utf8");
    if (text === undefined) continue;
    const { text: content, names: own } = await alterExpectations(path, text, parsers);
    if (own.length > 0) altered.push({ path, content });
    for (const name of own) names.add(`${path}::${name}`);
  }
  if (altered.length === 0) return [];
  const files = altered.map(({ path }) => path);
  const greenOn = async (tree: string, what: string) => {
    const report = await suite.runFiles(what, artifacts.overlay(task, tree, altered), files);
    return new Set(report.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id));
  };
  const pleased = await greenOn(result, "the tests with other expectations: they must be red");
  const suspects = [...pleased].filter((id) => names.has(id) && green.has(id));
  if (suspects.length === 0) return [];
  const before = await greenOn(base, "these on the old code");
  const known = new Set(runs.before?.tests.map(({ id }) => id));
  return suspects
    .filter((id) => !before.has(id))
    .map((id) =>
      known.has(id)
        ? { ...PLEASED, test: id }
        : {
            code: INSENSITIVE,
            weight: "named",
            test: id,
            message: "passes whatever value it expects: it shows nothing",
          },
    );
}

/** Of a test that came with the change. */
export const INSENSITIVE = "test.insensitive";

const PLEASED = {
  code: "code.pleases-tests",
  weight: "tampering",
  message: "passes on the new code even where it expects another value: what it looks at is equal to everything",
} as const;
