import { z } from "zod";
import { briefReviewer } from "../../agents/briefings/reviewer.ts";
import { ReviewResult } from "../../agents/finish.ts";
import type { Failure } from "../../domain/failure.ts";
import { describeFinding, isBlocking, ReviewFinding, type ReviewRole, ruleOnReview } from "../../domain/loop/review.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import { iterationStep } from "../../domain/task/step-path.ts";
import { goalBesideSpec } from "../../domain/task/task.ts";
import type { Language } from "../../languages/language.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";

const REVIEWER_TURNS = 8;

export interface ReviewWork {
  spec: Spec | undefined;
  todo: string | undefined;
  iteration: number;
  language: Language | null;
  tree: string;
  /** The change as a diff. */
  change: string;
  /** What the author said about the change. */
  said: string;
}

/** The reviewers of one todo. Each remembers its earlier findings, and how often it sent the work back. */
export class Reviews {
  readonly #run: Run;
  readonly #earlier: Record<ReviewRole, Round[]> = { reviewer: [], auditor: [] };

  constructor(run: Run) {
    this.#run = run;
  }

  /** Null if nothing keeps the change from being tested. */
  async of(role: ReviewRole, work: ReviewWork, onTokens: (tokens: number) => void): Promise<Failure | null> {
    const earlier = this.#earlier[role];
    const goal = goalBesideSpec(this.#run.request);
    const last = earlier.at(-1);
    if (last) last.answer ??= work.said;
    const answered = answeredRounds(earlier, work.said);
    const conclusion = await this.#run.converse(role, {
      name: iterationStep(work.iteration, role),
      briefing: [briefReviewer({ goal, spec: work.spec, change: work.change, earlier: answered })],
      result: ReviewResult,
      workbench: readingBench(this.#run, work.language, work.tree),
      maxTurns: REVIEWER_TURNS,
      check: ({ findings }) => misplaced(findings, (path, line) => this.#linesOf(work, path, line)),
      onTokens,
    });
    const findings = conclusion.ended === "finished" ? conclusion.result.findings : [];
    const ruling = ruleOnReview(findings, earlier.length);
    const input = { role, iteration: work.iteration, tree: work.tree, findings, ruling };
    await this.#run.step(
      { kind: "decision", name: "reviewed", input, output: z.array(ReviewFinding) },
      async ({ emit }) => {
        const { iteration, todo } = work;
        emit({ type: "change-reviewed", role, iteration, ...(todo !== undefined && { todo }), ruling, findings });
        return findings;
      },
    );
    if (ruling !== "rejected") return null;
    const blocking = findings.filter(isBlocking);
    // The coder also gets the lesser findings together with the blocking ones. Otherwise they would be lost.
    const told = [...blocking, ...findings.filter((finding) => !isBlocking(finding))];
    const detail = told.map(describeFinding).join("\n");
    earlier.push({ found: detail, said: work.said });
    const [first] = blocking;
    const more = blocking.length > 1 ? ` (and ${blocking.length - 1} more)` : "";
    const message = `the ${role} found: ${first ? describeFinding(first) : ""}${more}`;
    return { kind: "logic", code: `${role}.findings`, message, detail };
  }

  /**
   * For lines that the diff shows, the tree is not read. Any other look is a step, so that a replay knows the result.
   */
  async #linesOf({ change, tree }: ReviewWork, path: string, line: number): Promise<number | null> {
    const shown = linesShown(change).get(path) ?? 0;
    if (line <= shown) return shown;
    const step = { kind: "tool", name: "lines", input: { tree, path }, output: z.int().nullable() } as const;
    return this.#run.step(step, async () => {
      const content = this.#run.parts.artifacts.readFile(tree, path);
      return content === null ? null : content.toString("utf8").split("\n").length;
    });
  }
}

/** The findings, and what the author had said about the change they are in. */
interface Round {
  found: string;
  said: string;
  /** What the author said about the next change that this reviewer saw. */
  answer?: string;
}

/** Each round with the author's answer, which came with the next change. */
export const answeredRounds = (rounds: Round[], now: string): string[] =>
  rounds.map(({ found, answer }, index) => `${found}\nThe author: ${answer ?? rounds[index + 1]?.said ?? now}`);

/** The last line of each file that a diff shows. */
export function linesShown(diff: string): Map<string, number> {
  const shown = new Map<string, number>();
  let path = "";
  for (const line of diff.split("\n")) {
    path = /^\+\+\+ b\/(.*)$/.exec(line)?.[1] ?? path;
    const [, from, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (from !== undefined) shown.set(path, Number(from) + Number(count) - 1);
  }
  return shown;
}

/** A finding needs a place: otherwise nobody can mend or check it. */
export async function misplaced(
  findings: ReviewFinding[],
  linesOf: (path: string, line: number) => Promise<number | null>,
): Promise<string | undefined> {
  for (const { path, line } of findings) {
    const lines = await linesOf(path, line);
    if (lines === null) return `there is no file ${path}: name the file and line that the finding is about`;
    if (line > lines) return `${path} has ${lines} lines, so there is no line ${line}`;
  }
  return undefined;
}
