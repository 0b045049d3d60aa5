import type { Kysely } from "kysely";
import type { MemoryKind, MemoryStatus } from "../domain/memory/memory-record.ts";
import type { MemoryUse } from "../domain/settings/memory-settings.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import type { Usual } from "./effect/usual.ts";
import type { Memory } from "./memory.ts";
import type { NewLesson, NewPattern } from "./new-record.ts";
import type { Asked, Recall } from "./recalled.ts";

interface KeptRecord {
  id: string;
  kind: MemoryKind;
  isNew: boolean;
}

/** A record whose outcomes speak against it. */
interface RetiredRecord {
  id: string;
  status: MemoryStatus;
  uses: number;
  uplift: number;
}

/** Memory for one task. Nothing is loaded before `warm` or the first question. */
export interface TaskMemory {
  /** Begins to load in the background. Never throws. */
  warm(): void;
  /** Returns what is known and may be told to this task. */
  recall(asked: Asked, language: string): Promise<Recall>;
  /** Like `recall` for the goal, by words alone and without a model. Opens nothing if nothing was ever kept. */
  recallAtOnce(text: string, language: string): Promise<Recall>;
  /** Keeps what a step learnt, once, however often the step runs. `completes`: the failure itself was kept before. */
  keep(step: string, records: readonly (NewLesson | NewPattern)[], completes?: boolean): Promise<KeptRecord[]>;
  /** Disables records that were found for this task and have proved harmful or useless. */
  retire(): Promise<RetiredRecord[]>;
}

export interface TaskMemoryParts {
  open(): Promise<Memory>;
  store: Store;
  task: string;
  directory: string;
  use: MemoryUse;
}

export function taskMemory(parts: TaskMemoryParts): TaskMemory {
  const { store, task, directory, use } = parts;
  let opening: Promise<Memory> | undefined;
  const opened = () => (opening ??= parts.open());
  /** Counted once, because a single task changes the usual rate only a little. */
  let usual: Usual | undefined;
  const project = async () => (await import("./project-id.ts")).projectOf(directory);
  const person = async () => {
    const row = await store.read.selectFrom("tasks").select("person").where("id", "=", task).executeTakeFirst();
    return row?.person ?? "";
  };
  const answer = async (asked: Asked, language: string): Promise<Recall> => {
    const memory = await opened();
    const [{ recall }, { usesOf, usualNow }] = await Promise.all([import("./recall.ts"), import("./uses.ts")]);
    usual ??= await usualNow(store.read);
    return recall(memory, asked, {
      task,
      audience: { project: await project(), language, person: await person() },
      control: use.control,
      tokens: use.tokens,
      usual,
      usesOf: (records) => usesOf(store.read, records),
    });
  };
  /** The same once more, without what names this project, for this person's other projects. */
  const keepMine = async (memory: Memory, step: string, records: readonly (NewLesson | NewPattern)[]) => {
    const [{ generalRecord }, { projectNames }] = await Promise.all([
      import("./general-record.ts"),
      import("./project-id.ts"),
    ]);
    const names = projectNames(directory);
    const general = records.flatMap((record) => generalRecord(record, names) ?? []);
    if (general.length === 0) return [];
    const place = { task, scope: "mine" as const, project: await person() };
    return memory.keep(
      general.map((record) => ({ ...record, ...place })),
      { once: { task, step: `${step}/mine` } },
    );
  };
  return {
    warm: () => {
      const loading = opened().then(async (memory) => memory.load(await project(), await person()));
      // The next question meets the same error and reports it.
      loading.catch(() => {});
    },

    async recallAtOnce(text, language) {
      if (!(await hasRecords(store.read))) return { text: "", tokens: 0, shown: [], heldBack: [] };
      return answer({ cause: "goal", text, atOnce: true }, language);
    },

    recall: answer,

    async keep(step, records, completes = false) {
      const memory = await opened();
      const scope = use.scope === "mine" ? "project" : use.scope;
      const place = { task, scope, project: scope === "project" ? await project() : "" };
      const placed = records.map((record) => ({ ...record, ...place }));
      const kept = await memory.keep(placed, { once: { task, step }, completes });
      if (use.scope === "mine") kept.push(...(await keepMine(memory, step, records)));
      return kept.map(({ record: { id, kind }, isNew }) => ({ id, kind, isNew }));
    },

    async retire() {
      const { recordsUsedIn, usesOf } = await import("./uses.ts");
      const ids = await recordsUsedIn(store.read, task);
      if (ids.length === 0) return [];
      const { effectOf } = await import("./effect/effect.ts");
      const memory = await opened();
      const uses = Map.groupBy(await usesOf(store.read, ids), ({ record }) => record);
      const out: RetiredRecord[] = [];
      for (const record of await memory.get(ids)) {
        const { status, uses: count, uplift } = effectOf(uses.get(record.id) ?? []);
        if (status === "active" || record.status === status) continue;
        await memory.setStatus(record.id, status);
        out.push({ id: record.id, status, uses: count, uplift });
      }
      return out;
    },
  };
}

async function hasRecords(db: Kysely<Tables>): Promise<boolean> {
  for (const table of ["failures", "patterns"] as const) {
    if (await db.selectFrom(table).select("id").where("status", "=", "active").limit(1).executeTakeFirst()) return true;
  }
  return false;
}
