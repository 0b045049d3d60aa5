import { z } from "zod";
import type { Plan, Todo } from "./plan.ts";
import type { Requirement, Spec } from "./spec.ts";

const Field = z.object({ field: z.string(), before: z.string(), after: z.string() });
const Example = z.object({ input: z.string(), output: z.string() });
type Field = z.infer<typeof Field>;

const Changes = z.object({
  added: z.array(z.object({ id: z.string(), text: z.string() })),
  removed: z.array(z.object({ id: z.string(), text: z.string() })),
  changed: z.array(z.object({ id: z.string(), fields: z.array(Field) })),
});
type Changes = z.infer<typeof Changes>;

/** How a plan was changed while it ran: its todos and, where a person amended the spec, its requirements, by field. */
export const PlanChanges = z.lazy(() =>
  z.object({
    todos: Changes,
    /** Ids of the todos that are left, where they are now worked on in another order. */
    order: z.array(z.string()).optional(),
    requirements: Changes.optional(),
  }),
);
export type PlanChanges = z.infer<typeof PlanChanges>;

export function changesOfPlan(before: Plan, after: Plan): Pick<PlanChanges, "todos" | "order"> {
  const todos = changesBetween(before.todos, after.todos, ({ title }) => title);
  const kept = (plan: Plan, other: Plan) =>
    plan.todos.map(({ id }) => id).filter((id) => other.todos.some((todo) => todo.id === id));
  const isReordered = kept(before, after).join() !== kept(after, before).join();
  return { todos, ...(isReordered && { order: after.todos.map(({ id }) => id) }) };
}

export const changesOfSpec = (before: Spec, after: Spec): Changes =>
  changesBetween<Requirement>(before.requirements, after.requirements, ({ text }) => text);

function changesBetween<Item extends Todo | Requirement>(
  before: Item[],
  after: Item[],
  textOf: (item: Item) => string,
): Changes {
  const named = (items: Item[], others: Item[]) =>
    items
      .filter(({ id }) => !others.some((other) => other.id === id))
      .map((item) => ({ id: item.id, text: textOf(item) }));
  return {
    added: named(after, before),
    removed: named(before, after),
    changed: after.flatMap((item) => {
      const old = before.find(({ id }) => id === item.id);
      const fields = old ? fieldsBetween(old, item) : [];
      return fields.length > 0 ? [{ id: item.id, fields }] : [];
    }),
  };
}

function fieldsBetween(before: object, after: object): Field[] {
  const was = new Map(Object.entries(before));
  const is = new Map(Object.entries(after));
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((field) => {
    const [old, now] = [written(was.get(field)), written(is.get(field))];
    return old === now ? [] : [{ field, before: old, after: now }];
  });
}

const written = (value: unknown): string => {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value.join(", ")
    : JSON.stringify(value);
};

/** For people: a line for each thing that was added, removed or changed. */
export function describeChanges({ todos, order, requirements }: PlanChanges): string[] {
  return [
    ...(requirements ? linesOf("requirement", requirements, requirementLines) : []),
    ...linesOf("todo", todos, todoLines),
    ...(order ? [`  order: ${order.join(", ")}`] : []),
  ];
}

type Changed = Changes["changed"][number];

const linesOf = (what: string, { added, removed, changed }: Changes, told: (item: Changed) => string[]): string[] => [
  ...removed.map(({ id, text }) => `- ${what} ${id}: ${text}`),
  ...added.map(({ id, text }) => `+ ${what} ${id}: ${text}`),
  ...changed.flatMap(told),
];

const todoLines = ({ id, fields }: Changed): string[] =>
  fields.map(({ field, before, after }) => `~ todo ${id}, ${field}: ${before || "(none)"} → ${after || "(none)"}`);

/** Where its words stand in what was said is no news: the person has just said them. */
function requirementLines({ id, fields }: Changed): string[] {
  return fields.flatMap(({ field, after }) => {
    if (field === "text") return [`~ requirement ${id}: ${after}`];
    if (field === "assumption")
      return [
        `~ requirement ${id} ${after === "true" ? "is an assumption" : "was said, it is no assumption any more"}`,
      ];
    return field === "example" ? [`~ requirement ${id}, example: ${exampleIn(after)}`] : [];
  });
}

function exampleIn(text: string): string {
  if (text === "") return "none any more";
  const { input, output } = Example.parse(JSON.parse(text));
  return `${input} → ${output}`;
}
