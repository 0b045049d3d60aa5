import type { Lesson } from "../domain/memory/lesson.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import { controlShare } from "./effect/control-share.ts";
import { effectOf, type Use } from "./effect/effect.ts";
import { holdBack } from "./effect/hold-back.ts";
import { NOTHING_USUAL, type Usual } from "./effect/usual.ts";
import type { Found } from "./find.ts";
import { saysSomething } from "./keep-record.ts";
import type { Memory, Sought } from "./memory.ts";
import { quoteRecords } from "./quote-records.ts";
import type { Asked, Recall } from "./recalled.ts";

export interface RecallFor {
  /** Decides which records are controls. */
  task: string;
  audience: Exclude<Sought["for"], "any">;
  control: number;
  /** The limit, including the warning around the records. */
  tokens: number;
  /** How iterations usually end in this memory; absent if unknown. */
  usual?: Usual;
  usesOf(records: string[]): Promise<Use[]>;
}

const EACH = 3;
const MOST_ERRORS = 3;
const MOST_RECORDS = 4;

/** Quotes the few best records that have not proved useless. Records that are controls for this task are left out. */
export async function recall(memory: Pick<Memory, "find">, asked: Asked, about: RecallFor): Promise<Recall> {
  const hits = best(await findAll(memory, asked, about)).filter((hit) => hit.isLikely && saysSomething(hit.record));
  const uses = Map.groupBy(await about.usesOf(hits.map(({ id }) => id)), ({ record }) => record);
  const found = hits.filter(({ id }) => !(uses.get(id) ?? []).some((use) => wasInVain(use, about.task)));
  const effects = new Map(found.map(({ id }) => [id, effectOf(uses.get(id) ?? [])]));
  const worth = ({ id, score, record }: Hit) => (score * (effects.get(id)?.weight ?? 1) * (1 + record.trust)) / 2;
  const ranked = found.sort((a, b) => worth(b) - worth(a)).map(({ record }) => record);
  const fitting = quoteRecords(ranked.slice(0, MOST_RECORDS), about.tokens);
  const isHeldBack = (id: string): boolean => {
    const effect = effects.get(id);
    return (
      effect !== undefined &&
      holdBack(id, about.task, controlShare(effect, about.control, about.usual ?? NOTHING_USUAL))
    );
  };
  const open = ranked.filter(({ id }) => fitting.ids.includes(id) && !isHeldBack(id));
  const { text, tokens, sizes } = quoteRecords(open, about.tokens);
  return { text, tokens, shown: sizes, heldBack: fitting.sizes.filter(({ id }) => isHeldBack(id)) };
}

type Hit = Found & { record: Lesson | Pattern };

async function findAll(memory: Pick<Memory, "find">, asked: Asked, { audience }: RecallFor): Promise<Hit[]> {
  const seek = (what: Pick<Sought, "kind" | "error" | "prose" | "atOnce">) =>
    memory.find({ ...what, for: audience, limit: EACH });
  const hits: Hit[] = [];
  if (asked.cause === "goal") {
    for (const kind of ["pattern", "lesson"] as const)
      hits.push(...(await seek({ kind, prose: asked.text, atOnce: asked.atOnce })));
  } else {
    for (const error of asked.errors.slice(0, MOST_ERRORS)) hits.push(...(await seek({ kind: "lesson", error })));
  }
  return hits;
}

/** What this project itself knows of an error or a problem is better than what was kept of it for other projects. */
const aboutOf = (record: Lesson | Pattern): string =>
  record.kind === "lesson" ? `lesson ${record.errorType}` : `pattern ${record.problemType}`;

/** A record that fits several errors is found several times. */
function best(hits: readonly Hit[]): Hit[] {
  const byId = new Map<string, Hit>();
  for (const hit of hits) if ((byId.get(hit.id)?.score ?? -1) < hit.score) byId.set(hit.id, hit);
  const own = new Set(
    [...byId.values()].flatMap(({ record }) => (record.scope === "project" ? [aboutOf(record)] : [])),
  );
  const fitting = [...byId.values()].filter(({ record }) => record.scope !== "mine" || !own.has(aboutOf(record)));
  return fitting.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** A task that saw the record and is still red need not see it again: the record may even have misled it. */
const wasInVain = (use: Use, task: string): boolean => use.task === task && use.shown && !use.won;
