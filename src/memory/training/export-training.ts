import { createHash } from "node:crypto";
import { secretSpans } from "../../safety/secrets/find-secrets.ts";
import type { SecretRules } from "../../safety/secrets/secret-rule.ts";
import { type DpoExample, dpoExample, type SftExample, sftExample, type TrainingFormat } from "./examples.ts";
import { isAllowed, type LicenceFile, licencesIn, licencesOf, NO_LICENCE } from "./licence.ts";
import type { RecordedTodo, RecordedWork } from "./recorded-work.ts";

/** Access to a task's trees. A cassette has only some of them. */
export interface WorkTrees {
  /** The files of a tree that name a licence; null if the tree is empty or missing. */
  licenceFiles(tree: string): LicenceFile[] | null;
  /** Null if one of them is missing. */
  diff(from: string, to: string): Promise<string | null>;
}

export interface TrainingFilters {
  licences: ReadonlySet<string>;
  secretRules: SecretRules;
  /** Values that must not leave the machine. */
  secrets: readonly string[];
  /** Hashes of the written examples: a repeated example is worth nothing. */
  seen: Set<string>;
}

export type Training = { example: SftExample | DpoExample } | { leftOut: string };

/**
 * Every example of a successful task, in the order of its todos, or why there is none. Does not depend on time or
 * machine.
 */
export async function* trainingOf(
  work: RecordedWork,
  format: TrainingFormat,
  trees: WorkTrees,
  filters: TrainingFilters,
): AsyncGenerator<Training> {
  if (work.status === "not-proven") return yield { leftOut: "the task did not succeed" };
  const files = work.baseTree === null ? null : trees.licenceFiles(work.baseTree);
  // If nothing was there before, everything is the task's own work.
  const licences = files === null ? [] : licencesOf(files);
  const refused = licences.find((licence) => !isAllowed(licence, filters.licences));
  if (refused === NO_LICENCE) return yield { leftOut: "the project names no licence; `--licences none` takes it in" };
  if (refused !== undefined) return yield { leftOut: `the project's licence is ${refused}` };
  for (const todo of work.todos) {
    const examples = format === "sft" ? conversations(work, todo, licences) : preferences(work, todo, licences, trees);
    for await (const found of examples) yield "leftOut" in found ? found : filtered(found.example, filters);
  }
}

async function* conversations(work: RecordedWork, todo: RecordedTodo, licences: string[]): AsyncGenerator<Training> {
  const green = lastGreen(todo);
  if (!green?.conversation) return yield { leftOut: "its last iteration has no conversation that ended green" };
  yield { example: sftExample(work, green.conversation, metadataOf(work, todo, green.iteration.number, licences)) };
}

async function* preferences(
  work: RecordedWork,
  todo: RecordedTodo,
  licences: string[],
  trees: WorkTrees,
): AsyncGenerator<Training> {
  const green = lastGreen(todo);
  if (!green || !todo.opening) return;
  const failed = todo.iterations.filter(({ iteration }) => iteration.outcome === "red" && iteration.tree !== todo.tree);
  if (failed.length === 0) return;
  const chosen =
    (await trees.diff(todo.tree, green.iteration.tree)) ??
    (work.baseTree === null ? null : await trees.diff(work.baseTree, green.iteration.tree));
  if (chosen === null) return yield { leftOut: "the tree of its green iteration is not kept" };
  const better = ownChange(chosen, work.given);
  for (const { iteration, change } of failed) {
    const whole = (await trees.diff(todo.tree, iteration.tree)) ?? (change !== null && !isCut(change) ? change : null);
    const worse = whole === null ? null : ownChange(whole, work.given);
    if (worse === null) yield { leftOut: "the change of a red iteration is not kept in full" };
    else if (worse !== "" && better !== "" && worse !== better) {
      const metadata = { ...metadataOf(work, todo, iteration.number, licences), red: iteration.red };
      yield { example: dpoExample(work, todo.opening.messages, { green: better, red: worse }, metadata) };
    }
  }
}

const lastGreen = ({ iterations }: RecordedTodo) =>
  iterations.findLast(({ iteration }) => iteration.outcome === "green");

const metadataOf = (work: RecordedWork, todo: RecordedTodo, iteration: number, licences: string[]) => ({
  task: work.task,
  todo: todo.name,
  iteration,
  language: work.language,
  status: work.status,
  licence: licences.length === 0 ? "own" : licences.join(" AND "),
});

/** The change without the given tests, and without blob ids, which mean nothing elsewhere. */
function ownChange(diff: string, given: readonly string[]): string {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((section) => !given.some((path) => section.startsWith(`diff --git a/${path} b/${path}\n`)))
    .map((section) => section.replace(/^index [0-9a-f]+\.\.[0-9a-f]+.*\n/m, ""))
    .join("");
}

/** True if the change was cut to fit into a prompt. */
const isCut = (change: string): boolean => /\n… \d+ characters more$/.test(change);

function filtered(example: SftExample | DpoExample, filters: TrainingFilters): Training {
  const texts = textsOf(example);
  for (const text of texts) {
    const licence = licencesIn(text).find((found) => !isAllowed(found, filters.licences));
    if (licence !== undefined) return { leftOut: `it shows code under ${licence}` };
    if (filters.secrets.some((secret) => text.includes(secret)))
      return { leftOut: "it holds a secret of this machine" };
    const [span] = secretSpans({ path: "conversation", content: text }, filters.secretRules);
    if (span) return { leftOut: `it looks as if it held a secret (${span.rule.id})` };
  }
  const hash = createHash("sha256").update(JSON.stringify(texts)).digest("hex");
  if (filters.seen.has(hash)) return { leftOut: "the same example was written before" };
  filters.seen.add(hash);
  return { example };
}

/** All texts of an example. Arguments of tools are unescaped first. */
function textsOf(example: SftExample | DpoExample): string[] {
  const messages =
    "messages" in example ? example.messages : [...example.prompt, ...example.chosen, ...example.rejected];
  return messages.flatMap((message) => [
    message.content,
    ...(message.role === "assistant" ? (message.tool_calls ?? []) : []).flatMap((call) =>
      plain(call.function.arguments),
    ),
  ]);
}

function plain(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? Object.values(value).map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
      : [text];
  } catch {
    return [text];
  }
}
