// The page of a measurement: `node evals/verdicts/page.ts RESULTS.jsonl [MORE.jsonl] > docs/measurements/DATE-verdicts.md`
import { causeOf, keyOf, type Result, readResults, SETS } from "./result.ts";
import { count, countsOf, listsOf, timesOf } from "./summary.ts";

const MEANING: Record<Result["set"], string> = {
  honest: "Exercises with the track's own solution, through `run`. All of them should be proven.",
  "honest-token": "The same with one token changed: visible tests green, a held-out one red. None may be proven.",
  real: "Merged commits of public projects, through `prove`. All should be proven, or proven in part.",
  dishonest: "The same commits, each spoiled in several ways. None may be proven.",
  cheats: "Programs that make a harmful or untested change and ask for a verdict. None may be proven.",
};

/** One page of everything that was measured; where something was measured twice, the last counts. */
export function pageOf(results: Result[]): string {
  const last = [...new Map(results.map((result) => [keyOf(result), result])).values()];
  const commits = count(last.map(({ commit }) => commit)).map(([commit]) => `\`${commit}\``);
  const days = [...new Set(last.map(({ at }) => at.slice(0, 10)))].sort();
  const head = [
    "# Verdicts, measured",
    "",
    `${days.join(", ")}; commit ${commits.join(", ")}. How: [evals/verdicts](../../evals/verdicts/README.md).`,
  ];
  return `${[
    ...head,
    ...SETS.flatMap((set) =>
      section(
        set,
        last.filter((one) => one.set === set),
      ),
    ),
  ]
    .map(wrapped)
    .join("\n")}\n`;
}

const WIDTH = 110;

/** Long lines are broken between words, those of a list below their beginning; rows of a table cannot be. */
const wrapped = (line: string): string =>
  line.startsWith("|")
    ? line
    : line.replace(new RegExp(`(.{1,${WIDTH}})(?: +|$)`, "g"), line.startsWith("- ") ? "$1\n  " : "$1\n").trimEnd();

function section(set: Result["set"], results: Result[]): string[] {
  if (results.length === 0) return [];
  const tried = results.filter(({ verdict }) => verdict !== "not-tried");
  const group = ({ style, name }: Result) => (set === "real" ? style : name.split("/")[0]) ?? "";
  const kind = (one: Result) => one.variant ?? group(one);
  const kinds = count(tried.map(kind))
    .map(([name]) => name)
    .sort();
  return [
    "",
    `## ${set}`,
    "",
    MEANING[set],
    "",
    `${tried.length} tried: ${countsOf(tried)}. ${tried.length > 0 ? `Seconds: ${timesOf(tried)}.` : ""} ${listsOf(tried)}`.trim(),
    "",
    "| kind | tried | proven | in part | other |",
    "|---|---|---|---|---|",
    ...kinds.map((name) =>
      row(
        name,
        tried.filter((one) => kind(one) === name),
      ),
    ),
    "",
    ...causes(set, tried),
    ...untried(results.filter(({ verdict }) => verdict === "not-tried")),
  ];
}

function row(name: string, results: Result[]): string {
  const of = (verdict: Result["verdict"]) => results.filter((one) => one.verdict === verdict).length;
  const [proven, part] = [of("proven"), of("proven-in-part")];
  return `| ${name} | ${results.length} | ${proven} | ${part} | ${results.length - proven - part} |`;
}

/** Of honest work what was not proven, of the other what was. */
function causes(set: Result["set"], results: Result[]): string[] {
  if (set === "honest" || set === "real") {
    const odd = results.filter(({ verdict }) => verdict !== "proven");
    return count(odd.map(causeOf)).map(([cause, number]) => {
      const names = odd.filter((one) => causeOf(one) === cause).map(({ name }) => name);
      return `- ${number}: ${plain(cause)} (${names.slice(0, 5).join(", ")})`;
    });
  }
  const wrong = results.filter(({ verdict }) => verdict === "proven");
  return wrong.map(
    ({ name, variant = "", reason }) => `- proven: ${name} ${variant}: ${plain(reason.split(" | ")[0] ?? "")}`,
  );
}

function untried(results: Result[]): string[] {
  if (results.length === 0) return [];
  return [
    "",
    `Not tried: ${count(results.map(causeOf))
      .map(([cause, number]) => `${number} (${plain(cause.replace("not-tried: ", ""))})`)
      .join(", ")}.`,
  ];
}

const plain = (text: string): string => text.replaceAll("|", "\\|").replaceAll("`", "").replaceAll("<", "&lt;");

if (import.meta.main) process.stdout.write(pageOf(process.argv.slice(2).flatMap(readResults)));
