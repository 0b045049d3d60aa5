import { z } from "zod";
import { type Failure, fail } from "../failure.ts";
import { Role } from "../message.ts";
import { checkPlan } from "./check-plan.ts";
import { Todo } from "./plan.ts";
import type { PlanFile } from "./plan-file.ts";
import { GoalKind, LanguageName, Requirement } from "./spec.ts";

const Parameter = z.strictObject({
  description: z.string().min(1),
  /** Absent: it must be given. */
  default: z.string().optional(),
  /** A regular expression that a value must match as a whole. */
  pattern: z.string().optional(),
});

/**
 * A kind of project that is asked for again and again: what it is to do, in which steps, and what each role should know.
 * A parameter stands anywhere in its texts as `{{name}}`.
 */
export const Template = z.lazy(() =>
  z.strictObject({
    name: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, "small letters, digits and _"),
    summary: z.string().min(1),
    /** The goal when the person gives none. Absent: they must give one. */
    goal: z.string().min(1).optional(),
    title: z.string().max(120).optional(),
    kind: GoalKind.default("feature"),
    language: LanguageName.optional(),
    parameters: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), Parameter).default({}),
    requirements: z.array(Requirement).min(1),
    todos: z.array(z.strictObject(Todo.shape)).min(1),
    outOfScope: z.array(z.string()).default([]),
    accept: z.array(z.string()).default([]),
    /** The requirements and todos are all there is to say: without a goal of the person's no planner is asked. */
    complete: z.boolean().default(false),
    /** Put behind the prompt of a role. */
    notes: z.partialRecord(Role, z.string()).default({}),
    /** Requirements in other words, and other notes, where Python has this module. */
    where: z
      .array(
        z.strictObject({
          python: z.string().regex(/^[a-z_][a-z0-9_]*$/i, "the name of a module"),
          goal: z.string().min(1).optional(),
          requirements: z.array(Requirement).default([]),
          notes: z.partialRecord(Role, z.string()).default({}),
        }),
      )
      .default([]),
    /** Files that the work starts with, by path: fixtures, samples. */
    files: z.record(z.string().regex(/^(?!\/)(?!.*\.\.)[^\0]+$/, "a path inside the project"), z.string()).default({}),
  }),
);
export type Template = z.infer<typeof Template>;

/** What is wrong with a template beyond its form: its graph, its parameters, what a complete one lacks. */
export function checkTemplate(template: Template): string[] {
  const ids = template.requirements.map(({ id }) => id);
  const problems = checkPlan({ todos: template.todos }, ids).map(({ message }) => message);
  for (const { python, requirements } of template.where) {
    const unknown = requirements.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
    if (unknown.length > 0) problems.push(`where ${python}: ${unknown.join(", ")} is no requirement of the template`);
  }
  for (const name of placeholders(template)) {
    if (!Object.hasOwn(template.parameters, name)) problems.push(`{{${name}}} is no parameter`);
  }
  for (const [name, { default: value, pattern }] of Object.entries(template.parameters)) {
    if (value !== undefined && !matches(value, pattern)) problems.push(`parameters.${name}: its default does not fit`);
  }
  if (template.complete && !(template.goal && template.language)) {
    problems.push("a complete template has a goal and a language");
  }
  return problems;
}

/** A template with its parameters in place. Throws where one is missing, unknown or does not fit. */
export function fillTemplate(template: Template, given: Record<string, string>): Template {
  const { name, parameters } = template;
  const values = new Map<string, string>();
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(parameters, key)) continue;
    const known = Object.keys(parameters).join(", ") || "none";
    throw fail("invalid-input", "template.parameter", `template ${name} has no parameter ${key}; it has ${known}`);
  }
  for (const [key, parameter] of Object.entries(parameters)) {
    const value = given[key] ?? parameter.default;
    if (value === undefined) throw refuse(name, key, `is needed: --set ${key}=… (${parameter.description})`);
    if (!matches(value, parameter.pattern)) throw refuse(name, key, `must be ${parameter.description}, not "${value}"`);
    values.set(key, value);
  }
  return Template.parse(replaced(template, values));
}

/** The template in the words that hold where these modules of Python are there. */
export function whereThere(template: Template, modules: ReadonlySet<string>): Template {
  let known: Template = { ...template, where: [] };
  for (const { python, goal = known.goal, requirements, notes } of template.where) {
    if (!modules.has(python)) continue;
    known = {
      ...known,
      ...(goal !== undefined && { goal }),
      requirements: known.requirements.map((item) => requirements.find(({ id }) => id === item.id) ?? item),
      notes: { ...known.notes, ...notes },
    };
  }
  return known;
}

/** What is asked for: the person's words, with what the template adds to them where a planner is to read both. */
export function goalOf(template: Template, words: string): string {
  if (words === "" && template.goal === undefined) {
    throw fail("invalid-input", "template.goal", `template ${template.name} needs a goal: say what is to be built`);
  }
  if (words === "" && template.complete) return template.goal ?? "";
  const requirements = template.requirements.map(({ id, text, example }) => {
    return `- ${id}: ${text}${example ? ` (${example.input} → ${example.output})` : ""}`;
  });
  const todos = template.todos.map(({ id, title, dependsOn }) => {
    return `- ${id}: ${title}${dependsOn.length > 0 ? ` (after ${dependsOn.join(", ")})` : ""}`;
  });
  const without = template.outOfScope.map((text) => `- ${text}`);
  return [
    words || template.goal,
    "",
    `This is a ${template.name}. These are requirements of the plan, each under its id, made precise where the goal says more:`,
    ...requirements,
    "One that the words above rule out is named in outOfScope instead, as `R2: those words`. Further ones get further ids.",
    "Todos to begin from; leave out, merge or split them where the goal asks for it:",
    ...todos,
    ...(without.length > 0 ? ["Not asked for:", ...without] : []),
  ].join("\n");
}

/** The plan of a complete template: nothing is left for a planner to say. */
export function planOf(template: Template): PlanFile | null {
  const { goal, language, requirements, todos, outOfScope, accept, kind } = template;
  if (!template.complete || goal === undefined || language === undefined) return null;
  const title = template.title ?? template.summary.slice(0, 120);
  const spec = { title, kind, language, requirements, outOfScope, accept };
  return { goal, size: "large", spec, plan: { todos }, relevantFiles: Object.keys(template.files) };
}

const PLACEHOLDER = /\{\{\s*([a-z][a-z0-9_]*)\s*\}\}/g;

const placeholders = (template: Template): Set<string> =>
  new Set([...JSON.stringify(template).matchAll(PLACEHOLDER)].map(([, name = ""]) => name));

function replaced(value: unknown, values: Map<string, string>): unknown {
  if (typeof value === "string") return value.replace(PLACEHOLDER, (whole, name) => values.get(name) ?? whole);
  if (Array.isArray(value)) return value.map((item) => replaced(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, values)]));
}

const matches = (value: string, pattern: string | undefined): boolean =>
  pattern === undefined || new RegExp(`^(?:${pattern})$`, "u").test(value);

const refuse = (name: string, key: string, why: string): Error & { failure: Failure } =>
  fail("invalid-input", "template.parameter", `template ${name}: ${key} ${why}`);
