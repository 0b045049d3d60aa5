import type { Measured } from "./measure-project.ts";
import type { Counts } from "./outside.ts";

/** The table, and how many agree. */
export function pageOf(measured: readonly Measured[], commit: string, day: string): string {
  const agreeing = measured.filter(agrees);
  const rows = measured
    .toSorted((one, other) => (one.kind + one.project < other.kind + other.project ? -1 : 1))
    .map(row);
  return `# Real projects, measured

${day}; commit \`${commit}\`. How: [evals/real-projects](../../evals/real-projects/README.md).

Each project was checked out clean and set up by what the product does alone. Its suite then ran in the product's
sandbox, and by its own command in a plain one with a copy of the same packages. Counts are green / red / skipped.

${agreeing.length} of ${measured.length} say the same inside and outside.

| project | kind | packages | set up, s | suite, s | inside | outside | agree | cause |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

const row = (one: Measured): string =>
  `| ${[
    `${one.project} ${one.commit.slice(0, 8)}`,
    one.kind,
    one.packages,
    one.setUpSeconds.toFixed(1),
    one.seconds.toFixed(1),
    counts(one.inside),
    one.outside === null && one.outsideExit !== null ? `exit ${one.outsideExit}` : counts(one.outside),
    agrees(one) ? "yes" : "no",
    one.cause.replaceAll("|", "\\|").slice(0, 160),
  ].join(" | ")} |`;

const counts = (of: Counts | null): string => (of === null ? "–" : `${of.passed} / ${of.red} / ${of.skipped}`);

/** As green here as there. An error outside of every test is a red one inside, and only an ending outside. */
export function agrees({ inside, outside, ended, outsideExit }: Measured): boolean {
  if (!inside || !ended) return false;
  if ((inside.red === 0) !== (outsideExit === 0)) return false;
  return outside === null || outside.passed === inside.passed;
}
