import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ApprovalAnswer, type ApprovalRequest, type ApprovalSubject, type Asked } from "../../domain/approval.ts";
import type { Unanswered } from "../../domain/settings/safety-settings.ts";
import type { Strand } from "../../journal/strand.ts";
import type { EngineParts } from "./parts.ts";
import { Stopped } from "./stop.ts";
import { denial } from "./warden.ts";

/** The port to whoever may say yes: the book of questions, the policy in force, a person. */
export interface Approvals {
  book: Book;
  policy: ApprovalPolicy;
  /** Absent when nobody is there. Rejects when the signal says that an answer has come from elsewhere. */
  ask?: (request: ApprovalRequest, signal: AbortSignal) => Promise<Omit<ApprovalAnswer, "at">>;
}

/** Where questions and answers are written down, for everybody to see. */
export interface Book {
  /** Writes the question down once, however often it is put. Returns its answer if there is one. */
  open(request: ApprovalRequest): Promise<ApprovalAnswer | null>;
  /** Returns the answer that counts: this one, or one that came before it. */
  answer(id: string, answer: ApprovalAnswer): Promise<ApprovalAnswer>;
  answerTo(id: string): Promise<ApprovalAnswer | null>;
}

export interface ApprovalPolicy {
  /** Subjects that are allowed, each with the words that allowed it: `--approve deps`. */
  allowed: Partial<Record<ApprovalSubject, string>>;
  unanswered: Unanswered;
}

export interface Question {
  /** Names the step. */
  name: string;
  input: unknown;
  ask(): Promise<Asked>;
}

/** Plan and diff were once confirmed with a bare yes or no. */
const RecordedAnswer = z.union([
  ApprovalAnswer,
  z.boolean().transform((granted): ApprovalAnswer => ({ granted, by: "", at: 0, reason: "" })),
]);

/** How often an answer from another process is looked for while a person is asked here. */
const LOOK_MS = 500;

/**
 * Asks, and records the answer as a step: a replay needs nobody. The answer is durable before the step is, so a crash in
 * between asks nothing twice.
 */
export function approve(
  strand: Strand,
  parts: Pick<EngineParts, "journal" | "approvals" | "signal" | "clock">,
  question: Question,
): Promise<ApprovalAnswer> {
  const { name, input } = question;
  return strand.step({ kind: "decision", name, input, output: RecordedAnswer }, async ({ path }) => {
    const asked = await question.ask();
    return settle(parts, { ...asked, id: approvalId(parts.journal.task, path, asked) });
  });
}

/**
 * Runs what may ask for something first: it is recorded as having done nothing, then the answer, then it is run again.
 * What was denied once stays denied.
 */
export async function untilAnswered<T extends { asks?: Asked | undefined }>(
  strand: Strand,
  parts: EngineParts,
  name: string,
  run: () => Promise<T>,
): Promise<{ done: T } | { denied: string }> {
  const granted = new Set<string>();
  for (;;) {
    const done = await run();
    const { asks } = done;
    if (!asks) return { done };
    const key = JSON.stringify(asks);
    // Whoever asks for what it has already would ask for ever.
    if (granted.has(key)) throw new Error(`${name} asks again for what was allowed: ${asks.question}`);
    granted.add(key);
    const answer = await approve(strand, parts, { name: `${name}/approval`, input: asks, ask: async () => asks });
    parts.warden.remember(asks, answer);
    if (!answer.granted) return { denied: denial(asks, answer) };
  }
}

/** The same question at the same place has the same id, so that an answer is found again; another one never has it. */
export function approvalId(task: string, path: string, { subject, question, detail }: Asked): string {
  const text = JSON.stringify([task, path, subject, question, detail]);
  return `a${createHash("sha256").update(text).digest("hex").slice(0, 9)}`;
}

async function settle(
  { approvals, signal, clock }: Pick<EngineParts, "approvals" | "signal" | "clock">,
  request: ApprovalRequest,
): Promise<ApprovalAnswer> {
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
