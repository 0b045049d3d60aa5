import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ApprovalAnswer, type ApprovalRequest, type Asked, RecordedAnswer } from "../../domain/approval.ts";
import type { Book, EngineParts } from "./parts.ts";
import type { Run } from "./run.ts";
import { Stopped } from "./stop.ts";
import { denial } from "./warden.ts";

/** The parts that asking a person needs. */
export type AskingParts = Pick<EngineParts, "journal" | "approvals" | "signal" | "clock">;

export interface ApprovalQuestion {
  /** Names the step. */
  name: string;
  input: unknown;
  ask(): Promise<Asked>;
}

/** While a person is asked here, an answer may come from another process. This is how often we look for one. */
const LOOK_MS = 500;

/**
 * Asks, and records the answer as a step, so a replay asks nobody. The answer is stored before the step is. After a
 * crash between the two, the stored answer is found and nobody is asked twice.
 */
export async function approve(run: Run<AskingParts>, question: ApprovalQuestion): Promise<ApprovalAnswer> {
  const { name, input } = question;
  const { request: _, ...answer } = await run.step(
    { kind: "decision", name, input, output: RecordedAnswer },
    async ({ path }) => {
      const asked = await question.ask();
      const request = { ...asked, id: approvalId(run.task, path, asked) };
      return { ...(await settle(run.parts, request)), request };
    },
  );
  return answer;
}

/**
 * Runs an attempt that may need an approval. The attempt is first recorded as having done nothing, then the answer is
 * recorded, then the attempt runs again. A denied request stays denied.
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
    // An attempt that asks again for something it was granted would loop for ever.
    if (granted.has(key)) throw new Error(`${name} asks again for what was allowed: ${asks.question}`);
    granted.add(key);
    const answer = await approve(run, { name: `${name}/approval`, input: asks, ask: async () => asks });
    run.parts.warden.remember(asks, answer);
    if (!answer.granted) return { denied: denial(asks, answer) };
  }
}

/**
 * The same question at the same place always gets the same id, so its answer is found again. Another question never
 * gets it.
 */
export function approvalId(task: string, path: string, { subject, question, detail }: Asked): string {
  const text = JSON.stringify([task, path, subject, question, detail]);
  return `a${createHash("sha256").update(text).digest("hex").slice(0, 9)}`;
}

async function settle({ approvals, signal, clock }: AskingParts, request: ApprovalRequest): Promise<ApprovalAnswer> {
  const { book, policy, ask } = approvals;
  const { id, subject, covers = [] } = request;
  const given = await book.open(request);
  if (given) return given;
  const isKnown = covers.length > 0 && covers.every((key) => policy.always.has(key));
  const words = policy.allowed[subject] ?? (isKnown ? "safety.always" : undefined);
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

/** Returns the first answer and tells the other side to stop. */
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
    // After an abort this promise never settles: the caller already has its answer.
    await sleep(LOOK_MS, undefined, { signal: done, ref: false }).catch(() => new Promise<never>(() => {}));
    const answer = await book.answerTo(id).catch(() => null);
    if (answer) return answer;
  }
}
