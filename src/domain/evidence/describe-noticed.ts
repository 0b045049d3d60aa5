import type { MutantReport } from "./mutant-report.ts";

/** Who noticed how many: `6 of 15 noticed by tests, 9 by comparing with the old code`. */
export function describeNoticed({ counts }: Pick<MutantReport, "counts">): string {
  const { killed, timedOut, compared, survived } = counts;
  const byTests = killed + timedOut;
  const others = [
    ...(compared > 0 ? [`${compared} by comparing with the old code`] : []),
    ...(compared > 0 && survived > 0 ? [`${survived} by neither`] : []),
  ];
  return [`${byTests} of ${byTests + compared + survived} noticed by tests`, ...others].join(", ");
}
