import { z } from "zod";
import { LanguageName } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { PlanStand } from "../../domain/plan/update-plan.ts";
import type { EngineParts, Languages } from "../hands/parts.ts";
import { Run } from "../hands/run.ts";
import { TodoRuns } from "../hands/todo-runs.ts";
import type { Remembered } from "../hands/warden.ts";
import type { Listening, PlannedTodo } from "../todo/todo-work.ts";
import { BudgetShares } from "./budget-shares.ts";
import type { BegunWork } from "./plan-work.ts";
import { workOnTodo } from "./work-on-todo.ts";

/** A todo at its beginning, with all that its work depends on beside its own strands. */
export interface TodoToLend {
  /** The strand of its work. */
  name: string;
  begin: BegunWork<PlannedTodo>;
  stand: Listening["stand"];
  /** Todos that share the budget. */
  open: string[];
  /** What the whole task started from, and the answers of people so far. */
  base: string | undefined;
  answers: readonly Remembered[];
}

/** Written and read by the same version only: what a guest must be able to do, its labels say. */
const Beginning = z.object({
  name: z.string(),
  language: LanguageName,
  begin: z.custom<BegunWork<PlannedTodo>>(isObject),
  stand: z.custom<Omit<PlanStand, "done"> & { tests: TestFile[] }>(isObject).optional(),
  done: z.array(z.string()),
  open: z.array(z.string()),
  base: z.string().optional(),
  answers: z.array(z.custom<Remembered>(isObject)),
});

/** As text, for another process. A language is a name there. */
export function writeLent({ begin, stand, ...rest }: TodoToLend): string {
  const { work, attempt } = begin;
  const { language, subject, ...plain } = work;
  const { language: _language, ...wanted } = subject.wanted;
  const written = { work: { ...plain, subject: { ...subject, wanted } }, attempt };
  const { done, ...standing } = stand ?? {};
  return JSON.stringify({
    ...rest,
    language: language.name,
    begin: written,
    ...(stand && { stand: standing }),
    done: [...(done ?? [])],
  });
}

export function readLent(text: string, languages: Pick<Languages, "named">): TodoToLend {
  const { language: named, begin, stand, done, base, ...rest } = Beginning.parse(JSON.parse(text));
  const language = languages.named(named);
  const { subject } = begin.work;
  const work = { ...begin.work, language, subject: { ...subject, wanted: { ...subject.wanted, language } } };
  return {
    ...rest,
    begin: { work, attempt: begin.attempt },
    stand: stand && { ...stand, done: new Set(done) },
    base,
  };
}

/**
 * Works on a todo that the owner of its task lends. What is recorded on its strands is all that comes of it: the owner
 * passes the same steps, and goes on where the guest ended. A guest that is over its share of the budget ends: only the
 * owner knows what comes back from others.
 */
export async function workOnLent(parts: EngineParts, lent: TodoToLend, isCalled: () => boolean): Promise<void> {
  const { name, begin, stand, open, base, answers } = lent;
  const { todo } = begin.work.subject;
  if (base !== undefined) parts.warden.startFrom(base);
  for (const { asked, answer } of answers) parts.warden.remember(asked, answer);
  const shares = new BudgetShares(parts.budget, open);
  shares.begin(todo.id);
  const listening: Listening = {
    isWanted: async () => isCalled() || (await parts.messages.next()) !== null,
    ...(stand && { stand }),
  };
  // The steps are those of the strands below: this one stays empty.
  await parts.journal.run(`${name}/guest`, async (strand) => {
    const own = new TodoRuns(new Run(strand, parts)).of(todo, parts.signal);
    const guard = shares.guard(todo.id, parts.signal);
    await workOnTodo(own, begin, { name, guard, listening });
  });
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
