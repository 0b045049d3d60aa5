import {
  isKilled,
  isNoticed,
  type Mutant,
  type MutantReport,
  type MutantResult,
} from "../../domain/evidence/mutant-report.ts";
import { lineCounter } from "../../syntax/line-counter.ts";
import { mutantsIn, mutateTree } from "../measure/mutate-tree.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRunner } from "./suite-runner.ts";
import { testedTree } from "./tested-tree.ts";

interface OldCode {
  parts: ProveParts;
  suite: SuiteRunner;
  base: string;
  /** What a file of the result was called there. */
  oldPath: (path: string) => string;
  budgetMs: number;
}

/** Pieces that went without a successor, and that nobody misses in the new code. */
export const unmissed = ({ results }: MutantReport): MutantResult[] =>
  results.filter((one) => one.mutant.gone && one.mutant.went && one.fate !== "skipped" && !isNoticed(one));

/**
 * The ids of those whose values the tests of the old code met: each small change of them was noticed there. What does their
 * work now passes the same tests, so they did not go, they are written otherwise. Put back beside what does the same,
 * nobody notices them.
 */
export async function metBefore(pieces: readonly MutantResult[], old: OldCode): Promise<string[]> {
  const { parts, suite, base } = old;
  const read = (path: string) => parts.artifacts.readFile(base, path)?.toString("utf8") ?? null;
  const placed = await Promise.all(
    pieces.map(async ({ mutant }) => {
      const path = old.oldPath(mutant.path);
      const values = await Promise.all((mutant.went ?? []).map((value) => mutantsOf(path, value, read, parts)));
      return { id: mutant.id, path, values };
    }),
  );
  const askable = placed.filter(({ values }) => values.every((own) => own.length > 0));
  const mutants = new Map(askable.flatMap(({ values }) => values.flat()).map((mutant) => [mutant.id, mutant]));
  if (mutants.size === 0) return [];
  const paths = [...new Set(askable.map(({ path }) => path))];
  const traced = await suite.trace("the tests before the change, to see which lines they run", base, paths);
  const tree = testedTree(parts, suite, base, traced);
  const asked = { mutants: [...mutants.values()], budgetMs: old.budgetMs };
  const tried = await mutateTree(tree, "what went, in the old code", asked);
  if (!tried || tried.problem !== null) return [];
  const killed = new Set(tried.results.filter(isKilled).map(({ mutant }) => mutant.id));
  return askable.flatMap(({ id, values }) => (values.flat().every((mutant) => killed.has(mutant.id)) ? [id] : []));
}

const NOTHING: Record<string, string> = {
  py: "None",
  js: "undefined",
  mjs: "undefined",
  cjs: "undefined",
  ts: "undefined",
};

/** Small changes of one value where the old text says it; of what is read of an object, nothing in its place. */
async function mutantsOf(
  path: string,
  { from, to }: { from: number; to: number },
  read: (path: string) => string | null,
  { parsers }: Pick<ProveParts, "parsers">,
): Promise<Mutant[]> {
  const text = read(path) ?? "";
  const line = lineCounter(text)(from);
  const lines = [{ from: line, to: lineCounter(text)(to - 1) }];
  const made = await mutantsIn({ read, parsers }, path, lines, {});
  const own = made.filter((mutant) => from <= mutant.from && mutant.to <= to);
  const replacement = NOTHING[path.split(".").at(-1) ?? ""];
  if (own.length > 0 || replacement === undefined) return own;
  const said = text.slice(from, to);
  return [
    {
      ...{ id: `${path}:${line}:nothing:${from}`, path, line, statement: { from: line, to: line } },
      ...{ operator: "value", from, to, replacement, description: `\`${said}\` → \`${replacement}\`` },
    },
  ];
}
