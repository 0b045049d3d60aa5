import { describeLines } from "../../domain/evidence/line-range.ts";
import { isKilled, type MutantResult } from "../../domain/evidence/mutant-report.ts";
import { type BaseMutants, isTelling, type UnitMutants } from "../measure/mutate-base.ts";

const NAMED = 5;
/** What tests do not notice in the old code they cannot vouch for in the new: nothing is let pass unless a person does. */
const USUAL_BASE_SCORE = 1;

/** Why tests that were green before cannot show that what they look at was kept. Empty: they can. */
export function keptDoubts(base: BaseMutants | null, mutationScore: number | null): string[] {
  if (!base) return ["no mutant of the lines before the change was tried"];
  const { report, units } = base;
  if (report && report.problem !== null) return [report.problem];
  const gone = units.filter(isGoneUnseen);
  const judged = units.filter((unit) => !gone.includes(unit));
  const results = [...new Set(judged.flatMap((unit) => unit.results))].filter(hasRun);
  const left = results.filter(({ fate }) => fate === "survived");
  const score = results.length === 0 ? 1 : 1 - left.length / results.length;
  const bar = mutationScore ?? USUAL_BASE_SCORE;
  return [
    ...gone.map(
      ({ unit }) => `${unit.name} of ${unit.path} is gone, and no test ran it: nothing shows that nobody needs it`,
    ),
    ...(score < bar ? [`they do not notice when the code before the change does something else: ${named(left)}`] : []),
    ...(score < bar ? [] : judged.flatMap(withoutValue)),
  ];
}

const hasRun = (result: MutantResult): boolean => isKilled(result) || result.fate === "survived";

/** Taken away, and run by no test. */
const isGoneUnseen = ({ unit, results }: UnitMutants): boolean =>
  unit.now === null && results.length > 0 && results.every(({ fate, reason }) => fate === "survived" && reason !== "");

function withoutValue({ unit, results }: UnitMutants): string[] {
  if (results.some(isTelling)) return [];
  const which = `${unit.name} (${unit.path}:${describeLines(unit.lines)})`;
  if (results.length === 0) return [`nothing in ${which} can be mutated, so that no test can show that it was kept`];
  if (!results.some(hasRun)) return [`no mutant of ${which} could be tried in time (--budget)`];
  return [`none of them expects anything of what ${which} gave before the change`];
}

function named(results: readonly MutantResult[]): string {
  const more = results.length - NAMED;
  const shown = results.slice(0, NAMED).map(({ mutant, reason }) => {
    const why = reason === "" ? "" : ` (${reason})`;
    return `${mutant.path}:${mutant.line} ${mutant.description}${why}`;
  });
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
