import { z } from "zod";
import { briefSharpening } from "../../agents/briefings/tester.ts";
import type { Dispute } from "../../domain/evidence/dispute.ts";
import { type HeldOutTest, heldOutId, settleDispute } from "../../domain/evidence/held-out.ts";
import type { Measured } from "../../domain/evidence/measured.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { Sharpened } from "../../domain/evidence/sharpened.ts";
import type { Message } from "../../domain/message.ts";
import { TestFile } from "../../domain/plan/test-file.ts";
import { priceOf, worstCase } from "../../llm/prices.ts";
import { specText } from "../../verify/held-out/quote.ts";
import { showSurvivor, worthSharpening } from "../../verify/mutants/show-survivor.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import { staticProblem, type TestsWanted } from "../testing/ask-for-tests.ts";
import { concernedTodos } from "./concerned-todos.ts";
import { isWording } from "./is-wording.ts";
import type { UnseenEnd } from "./prove-unseen.ts";
import { runSharpened, type SharpenedRun } from "./run-sharpened.ts";
import { judgeDispute } from "./settle-dispute.ts";

/** No files if no requirement decides about the mutants. */
const SharpenResult = z.lazy(() => z.object({ files: z.array(TestFile) }));

export interface Sharpening {
  wanted: TestsWanted;
  visible: TestFile[];
  unseen: UnseenEnd;
  measured: Measured;
  /** The tree whose mutants survived. */
  tree: string;
}

export interface SharpenedEnd {
  sharpened: Sharpened;
  disputes: Dispute[];
  /** Red tests whose assertion the spec contains. The coder is told, and they must turn green. */
  missing: HeldOutTest[];
  files: TestFile[];
  notes: Map<string, string>;
}

/** One answer, and a second one to correct the first. */
const TURNS = 2;
/** The budget that must be left: two answers, and the longer second request. */
const CALLS = 2.5;
const MOST_DISPUTES = 3;

/**
 * Shows surviving mutants to the tester, once. Its new tests support no requirement, because it has seen lines of the
 * change. Null if no mutant survived that a requirement's test ran, or if the settings turn this off.
 */
export async function sharpenTests(run: Run, sharpening: Sharpening): Promise<SharpenedEnd | null> {
  const { settings } = run;
  const left = worthSharpening(sharpening.measured.mutants);
  if (!settings.proving.sharpen || settings.effort === "quick" || left.length === 0) return null;
  const { briefing, room, shown } = await prepare(run, sharpening, left);
  if (shown === 0) return nothing("what is left are words that no requirement speaks of");
  if (!room) return nothing("the budget leaves no room for it");
  const sharper = await askForSharperTests(run, sharpening, briefing, left);
  if (sharper === "undecided") return nothing("the tester found no requirement that decides");
  if (!sharper) return nothing("the tester gave no tests that could be used");
  return settle(run, sharpening, sharper, left);
}

interface SharperTestsRun {
  files: TestFile[];
  outcome: SharpenedRun;
}

const nothing = (why: string): SharpenedEnd => ({
  sharpened: { tests: [], why },
  disputes: [],
  missing: [],
  files: [],
  notes: new Map(),
});

const Shown = z.object({
  survivors: z.array(
    z.object({ id: z.string(), path: z.string(), line: z.int(), before: z.string(), after: z.string() }),
  ),
  /** Whether the budget allows it. Optional work is left out; the task does not pause for it. */
  room: z.boolean(),
});

async function prepare(
  run: Run,
  { wanted, visible, unseen, tree }: Sharpening,
  left: Mutant[],
): Promise<{ briefing: Message; room: boolean; shown: number }> {
  const { settings } = run;
  const { prompt, tools } = run.frozenFor("tester");
  const { plan } = wanted.planned;
  const todos = concernedTodos(
    plan.todos,
    left.map((mutant) => mutant.path),
  );
  const ids = new Set(todos.map(({ id }) => id));
  const about = new Set(todos.flatMap(({ requirements }) => requirements));
  const requirements = wanted.planned.spec.requirements.filter(({ id }) => about.has(id));
  const spec = { ...wanted.planned.spec, requirements };
  const shownTests = visible.filter((file) => ids.has(file.todo));
  const path = wanted.language.testPath(`sharper-${unseen.files.length}`, wanted.survey.paths);
  const todo = todos.at(-1)?.id ?? "";
  const conventions = `Tests are run in the project's root with: ${wanted.tools.testCommand}\nThe test file: ${path}, todo ${todo}`;
  const brief = (survivors: z.infer<typeof Shown>["survivors"]) =>
    briefSharpening({ spec, conventions, visible: shownTests, survivors });
  const input = { tree, mutants: left.map(({ id }) => id) };
  const shown = await run.step({ kind: "decision", name: "survivors", input, output: Shown }, async () => {
    const contentOf = (path: string) => run.parts.artifacts.readFile(tree, path)?.toString("utf8") ?? "";
    const said = specText(run.request.goal, wanted.planned.spec);
    const survivors = left
      .filter((mutant) => !isWording(mutant, contentOf(mutant.path), said))
      .map((mutant) => showSurvivor(mutant, contentOf(mutant.path)));
    const bytes = Buffer.byteLength(JSON.stringify([prompt, tools, brief(survivors)]));
    const [model = ""] = settings.models.tester.models;
    const { maxOutputTokens } = settings.models.tester.parameters;
    const worst = worstCase(bytes, maxOutputTokens, priceOf(model, settings.prices));
    const { costMicros, tokens } = await run.parts.budget.left();
    const fits = (limit: number | null, amount: number) => limit === null || limit >= CALLS * amount;
    return { survivors, room: fits(costMicros, worst.costMicros) && fits(tokens, worst.tokens) };
  });
  return { briefing: brief(shown.survivors), room: shown.room, shown: shown.survivors.length };
}

async function askForSharperTests(
  run: Run,
  { wanted, visible, unseen, tree }: Sharpening,
  briefing: Message,
  left: Mutant[],
): Promise<SharperTestsRun | "undecided" | null> {
  const { language, survey } = wanted;
  const taken = [...visible, ...unseen.files];
  let last: SharpenedRun | undefined;
  const answer = await run.ask("tester", {
    name: "sharpen",
    briefing: [briefing],
    result: SharpenResult,
    workbench: readingBench(run, language, survey.tree),
    maxTurns: TURNS,
    check: async ({ files }) => {
      if (files.length === 0) return undefined;
      const unusable = staticProblem(files, wanted, taken, "any");
      if (unusable !== undefined) return unusable;
      const heldOut = { files: unseen.files, tests: unseen.tests };
      last = await runSharpened(run, { tree, result: unseen.result.tree, language, files, left, heldOut });
      return last.refused;
    },
  });
  if (answer?.files.length === 0) return "undecided";
  return answer && last ? { files: answer.files, outcome: last } : null;
}

/**
 * Keeps green tests for the mutants they notice. For a red test a dispute decides whether the code or the test is at
 * fault.
 */
async function settle(
  run: Run,
  { wanted, visible, unseen }: Sharpening,
  { files, outcome: sharpened }: SharperTestsRun,
  left: Mutant[],
): Promise<SharpenedEnd> {
  const end: SharpenedEnd = { ...nothing(""), files };
  const { spec } = wanted.planned;
  const described = new Map(left.map(({ id, path, line, description }) => [id, `${path}:${line} ${description}`]));
  for (const { file: path, test: name, requirement, outcome, message, killed, mendable } of sharpened.tests) {
    const id = heldOutId({ file: path, test: name });
    const told = (how: Sharpened["tests"][number]["end"], reason = "") => {
      const noticed = killed.map((mutant) => described.get(mutant) ?? mutant);
      end.sharpened.tests.push({ id, requirement, end: how, noticed, reason });
    };
    if (outcome === "passed") {
      told(killed.length > 0 ? "kept" : "idle");
      continue;
    }
    const file = files.find((one) => one.path === path);
    if (!file) continue;
    if (outcome !== "red" || end.disputes.length >= MOST_DISPUTES) {
      told("void", outcome === "red" ? "there were too many red ones to ask about" : "it did not come to its end");
      continue;
    }
    const test: HeldOutTest = {
      file: path,
      test: name,
      requirement,
      state: "unspent",
      before: "untold",
      outcome: "red",
      cases: [],
      reason: message,
    };
    const { tree } = unseen.result;
    const { dispute, note } = await judgeDispute(run, { spec, test, file, visible, tree });
    end.disputes.push(dispute);
    end.notes.set(id, note);
    told(dispute.ruling, dispute.reason);
    if (dispute.ruling === "upheld" && mendable) end.missing.push(settleDispute(test, dispute));
  }
  return end;
}
