import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ApprovalAnswer, type ApprovalRequest, type Asked } from "../../domain/approval.ts";
import type { Book, EngineParts } from "./parts.ts";
import type { Run } from "./run.ts";
import { Stopped } from "./stop.ts";
import { denial } from "./warden.ts";

/** What it takes to ask a person. */
export type AskingParts = Pick<EngineParts, "journal" | "approvals" | "signal" | "clock">;

export interface ApprovalQuestion {
  /** Names the step. */
  name: string;
  input: unknown;
  ask(): Promise<Asked>;
}

/** How often an answer from another process is looked for while a person is asked here. */
const LOOK_MS = 500;

/**
 * Asks, and records the answer as a step: a replay needs nobody. The answer is durable before the step is, so a crash in
 * between asks nothing twice.
 */
export function approve(run: Run<AskingParts>, question: ApprovalQuestion): Promise<ApprovalAnswer> {
  const { name, input } = question;
  return run.step({ kind: "decision", name, input, output: ApprovalAnswer }, async ({ path }) => {
    const asked = await question.ask();
    return settle(run.parts, { ...asked, id: approvalId(run.task, path, asked) });
  });
}

/**
 * Runs what may ask for something first: it is recorded as having done nothing, then the answer, then it is run again.
 * What was denied once stays denied.
 */
export async function untilAnswered<T extends { asks?: Asked | undefined }>(
  run: Run,
  name: string,
  attempt: () => Promise<T>,
): Promise<{ done: T } | { denied: string }> {
  const granted = new Set<string>();
  for (;;) {
    const done = await attempt();
    const { asks } = done;
    if (!asks) return { done };
    const key = JSON.stringify(asks);
    // Whoever asks for what it has already would ask for ever.
    if (granted.has(key)) throw new Error(`${name} asks again for what was allowed: ${asks.question}`);
    granted.add(key);
    const answer = await approve(run, { name: `${name}/approval`, input: asks, ask: async () => asks });
    run.parts.warden.remember(asks, answer);
    if (!answer.granted) return { denied: denial(asks, answer) };
  }
}

/** The same question at the same place has the same id, so that an answer is found again; another one never has it. */
export function approvalId(task: string, path: string, { subject, question, detail }: Asked): string {
  const text = JSON.stringify([task, path, subject, question, detail]);
  return `a${createHash("sha256").update(text).digest("hex").slice(0, 9)}`;
}

async function settle({ approvals, signal, clock }: AskingParts, request: ApprovalRequest): Promise<ApprovalAnswer> {
  const { book, policy, ask } = approvals;
  const { id, subject } = request;
  const given = await book.open(request);
  if (given) return given;
  const words = policy.allowed[subject];
  if (words !== undefined) return book.answer(id, { granted: true, by: `policy: ${words}`, at: clock(), reason: "" });
  if (ask) {
    const said = await firstOf(
      (done) => ask(request, AbortSignal.any([signal, done])),
      (done) => answeredElsewhere(book, id, done),
    );
    return "at" in said ? said : book.answer(id, { ...said, at: clock() });
  }
  if (policy.unanswered === "wait") {
    throw new Stopped("waiting", `waiting for an answer: ${request.question} (miracle approve ${id})`);
  }
  const reason = `nobody is there to be asked, and no policy allows it (--approve ${subject}, or --wait for an answer)`;
  return book.answer(id, { granted: false, by: "nobody there", at: clock(), reason });
}

/** Whichever answers first; the other one is told to stop. */
async function firstOf<A, B>(
  one: (done: AbortSignal) => Promise<A>,
  other: (done: AbortSignal) => Promise<B>,
): Promise<A | B> {
  const done = new AbortController();
  try {
    return await Promise.race([one(done.signal), other(done.signal)]);
  } finally {
    done.abort();
  }
}

async function answeredElsewhere(book: Book, id: string, done: AbortSignal): Promise<ApprovalAnswer> {
  for (;;) {
    // Aborted, this never comes to an end of its own: whoever waits has an answer already.
    await sleep(LOOK_MS, undefined, { signal: done, ref: false }).catch(() => new Promise<never>(() => {}));
    const answer = await book.answerTo(id).catch(() => null);
    if (answer) return answer;
  }
}
