import { z } from "zod";
import { Plan } from "../src/domain/plan/plan.ts";
import { scheduleTodos } from "../src/engine/plan/schedule-todos.ts";
import { JournalBuilder } from "../test/journal-builder.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";

const TODOS = 50;
const WIDE = 8;

/** In rows of eight, each todo after two of the row before it. */
const plan = () =>
  Plan.parse({
    todos: Array.from({ length: TODOS }, (_, index) => ({
      id: `t${index}`,
      title: `number ${index}`,
      dependsOn: index < WIDE ? [] : [`t${index - WIDE}`, `t${index - WIDE + (index % WIDE === 0 ? 1 : -1)}`],
    })),
  });

/** Todos of no work: what the plan, the strands and the steps around them cost. */
export const measureSchedule = (place: Place): Measurement => {
  let task = 0;
  return measurement(
    ["schedule"],
    async () => {
      task += 1;
      const builder = new JournalBuilder(place.directory("schedule"));
      await using store = await builder.store();
      const journal = await builder.create(store, `t${String(task).padStart(8, "0")}`);
      const start = performance.now();
      await journal.run("task", (strand) =>
        scheduleTodos(strand, {
          plan: plan(),
          limit: WIDE,
          begin: async ({ id }) => {
            await strand.step(
              { kind: "tool", name: "begin", input: id, output: z.null(), durable: false },
              async () => null,
            );
            return () =>
              journal.run(`todo:${id}`, (own) =>
                own.step({ kind: "tool", name: "work", input: id, output: z.null(), durable: false }, async () => null),
              );
          },
          settle: async ({ id }) => {
            const input = { todo: id };
            await strand.step(
              { kind: "checkpoint", name: "todo-settled", input, output: z.null(), durable: false },
              async ({ emit }) => {
                emit({ type: "todo-settled", todo: id, ok: true });
                return null;
              },
            );
            return "done";
          },
        }),
      );
      return (performance.now() - start) / TODOS;
    },
    (samples) => [
      {
        name: "schedule",
        what: "scheduling and journal for a todo",
        value: median(samples),
        unit: "ms",
        bar: 5,
        detail: `${TODOS} todos of no work, ${WIDE} at once, four steps each`,
      },
    ],
  );
};
