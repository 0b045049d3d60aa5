import { z } from "zod";
import type { Plan, Todo } from "../../domain/plan/plan.ts";
import { foundationOf, topsOf } from "../../domain/plan/plan-graph.ts";
import type { EngineParts } from "../hands/parts.ts";
import type { Run } from "../hands/run.ts";

/** The parts that merging needs. */
export type IntegrationParts = Pick<EngineParts, "artifacts" | "journal">;

export interface Integrating {
  plan: Plan;
  /** The tree that all todos begin from. */
  start: string;
  /** Trees that were merged before, by the todos in them. */
  merged?: Map<string, string>;
  /** The tree that a finished todo left. */
  treeOf(todo: string): string;
  /** Works on a todo again, on the tree that its change did not fit onto. That tree holds the work of `onto`. */
  rework(todo: Todo, conflict: Conflict): Promise<string>;
}

export interface Conflict {
  tree: string;
  onto: ReadonlySet<string>;
  paths: string[];
}

const Merge = z.union([z.object({ id: z.string() }), z.object({ conflicts: z.array(z.string()) })]);

/**
 * Merges the trees of todos that were worked on separately: three-way, in plan order, over their common tree. A todo
 * whose change does not fit is worked on again, alone, on top of what was merged before it. So it cannot conflict a
 * second time.
 */
export class Integration {
  readonly #run: Run<IntegrationParts>;
  readonly #work: Integrating;
  readonly #merged: Map<string, string>;

  constructor(run: Run<IntegrationParts>, work: Integrating) {
    this.#run = run;
    this.#work = work;
    this.#merged = work.merged ?? new Map();
  }

  /** The tree that holds the work of these todos and of all todos they depend on. */
  async of(ids: Iterable<string>): Promise<string> {
    const { plan, start } = this.#work;
    const wanted = new Set([...ids].flatMap((id) => [...foundationOf(plan, id)]));
    const [first, ...others] = topsOf(plan, wanted);
    if (!first) return start;
    let held: ReadonlySet<string> = foundationOf(plan, first.id);
    let tree = this.#work.treeOf(first.id);
    for (const next of others) {
      const onto = held;
      const below = foundationOf(plan, next.id);
      held = new Set([...held, ...below]);
      const known = this.#merged.get(this.#key(held));
      tree = known ?? (await this.#add(next, { tree, onto, below }));
      this.#merged.set(this.#key(held), tree);
    }
    return tree;
  }

  async #add(
    todo: Todo,
    { tree, onto, below }: { tree: string; onto: ReadonlySet<string>; below: Set<string> },
  ): Promise<string> {
    const base = await this.of([...below].filter((id) => onto.has(id)));
    const input = { todo: todo.id, base, ours: tree, theirs: this.#work.treeOf(todo.id) };
    const merge = await this.#run.step(
      { kind: "tool", name: "merge", input, output: Merge, durable: false },
      async ({ emit }) => {
        const { task } = this.#run.parts.journal;
        const merged = await this.#run.parts.artifacts.merge(task, input.base, input.ours, input.theirs);
        if ("conflicts" in merged) {
          const paths = merged.conflicts.join(", ");
          const message = `todo ${todo.id} does not fit with what others did to ${paths}: it is worked again on the merged tree`;
          emit({ type: "warning-raised", code: "merge.conflict", message });
        }
        return merged;
      },
    );
    return "id" in merge ? merge.id : this.#work.rework(todo, { tree, onto, paths: merge.conflicts });
  }

  #key(ids: ReadonlySet<string>): string {
    return this.#work.plan.todos.flatMap(({ id }) => (ids.has(id) ? [id] : [])).join(" ");
  }
}
