import type { Message } from "../domain/message.ts";
import type { GoalSize, Todo } from "../domain/plan.ts";
import { renderContract } from "../domain/render-contract.ts";
import type { Requirement, Spec } from "../domain/spec.ts";
import type { Attachment } from "../domain/task.ts";
import { quoted, type ShownFile, showFiles } from "./shown-files.ts";

/*
 * What each role is shown. Pure text making: everything in it comes from recorded steps, so that the same steps always
 * give the same request. Times, absolute paths and ids of this machine never enter.
 */

export interface ProjectView {
  /** Paths of the project, bounded; `more` says how many are left out. */
  paths: string[];
  more: number;
  versions: Record<string, string>;
  /** The project's own instructions for agents (AGENTS.md), bounded. */
  instructions: string;
  /** What matters is shown: nothing is said of the other files. */
  terse?: boolean;
}

export function userMessage(text: string, attachments: Attachment[] = []): Message {
  return {
    role: "user",
    content: [{ type: "text", text }, ...attachments.map((file) => ({ type: "file" as const, ...file }))],
  };
}

export function briefPlanner(
  goal: string,
  project: ProjectView,
  effort: string,
  attachments: Attachment[],
  recalled = "",
): Message {
  const size =
    effort === "quick" ? "\nTreat the goal as small." : effort === "thorough" ? "\nTreat the goal as large." : "";
  return userMessage(sections([["Goal", goal + size], ...projectSections(project), [MEMORY, recalled]]), attachments);
}

export interface ReprompterBrief {
  goal: string;
  why: string;
  project: ProjectView;
  /** Questions with what the person answered. */
  answers: string[];
  /** What it wrote before it was answered. */
  draft?: string | undefined;
  attachments: Attachment[];
}

export function briefReprompter({ goal, why, project, answers, draft, attachments }: ReprompterBrief): Message {
  return userMessage(
    sections([
      ["Goal", goal],
      ["Why it is vague", why],
      ["Your draft", draft === undefined ? "" : quoted(draft)],
      ["The person's answers", list(answers)],
      ...projectSections(project),
    ]),
    attachments,
  );
}

export interface TesterBrief {
  spec: Spec;
  todos: Todo[];
  size: GoalSize;
  project: ProjectView;
  /** How tests are run here, and where they belong. */
  conventions: string;
  files: ShownFile[];
  /** Held-out tests that are used up. */
  used?: ShownFile[];
  onlyHeldOut?: boolean;
  /** Tests to be filled in, from the contract. */
  skeletons?: string;
}

export function briefTester(brief: TesterBrief): Message {
  const { spec, todos, size, project, conventions, files, used = [], onlyHeldOut = false, skeletons = "" } = brief;
  const task =
    "The visible tests stand. Write only held-out tests (`heldOut: true`), one for each requirement below, with other inputs than those that are used up.";
  const parts = todos.map((todo) => `- ${todo.id}: ${todo.title} (${todo.requirements.join(", ")})`);
  return userMessage(
    sections([
      ["Your task now", onlyHeldOut ? task : ""],
      ["Requirements", requirementList(spec.requirements)],
      ["Out of scope", list(spec.outOfScope)],
      [SAID, amendmentList(spec)],
      ["Contract, which the code will keep", contractText(spec)],
      ["Skeletons from the contract: a start, to be filled in where a requirement asks for it", quoted(skeletons)],
      [`Todos of a ${size} ${spec.kind}`, parts.join("\n")],
      ["Conventions", conventions],
      ...projectSections(project),
      ["Files", showFiles(files)],
      ["Held-out tests that are used up", showFiles(used)],
    ]),
  );
}

export interface SharpenBrief {
  spec: Spec;
  conventions: string;
  /** The tests that the coder sees, for how they import the code. */
  visible: ShownFile[];
  survivors: { path: string; line: number; before: string; after: string }[];
}

/** The only words of the change that a tester ever reads: the lines that could be otherwise without any test noticing. */
export function briefSharpening({ spec, conventions, visible, survivors }: SharpenBrief): Message {
  const task =
    "The work is done. Each change of one line below would go unnoticed by every test. Write sharper tests (`heldOut: true`, one new file) that pass now and fail with such a change, wherever a requirement says which of the two is right; expect what the requirement says, never what the line happens to do. Leave out a change that no requirement decides.";
  const lines = survivors.map(
    ({ path, line, before, after }, index) =>
      `${index + 1}. ${path}:${line}\n${quoted(`${marked("-", before)}\n${marked("+", after)}`)}`,
  );
  return userMessage(
    sections([
      ["Your task now", task],
      ["Requirements", requirementList(spec.requirements)],
      ["Out of scope", list(spec.outOfScope)],
      ["Conventions", conventions],
      ["Changes that no test notices", lines.join("\n\n")],
      ["Tests that exist", showFiles(visible)],
    ]),
  );
}

const marked = (mark: string, text: string): string => text.replace(/^/gm, `${mark} `);

export interface JudgeBrief {
  spec: string;
  requirement: Requirement;
  test: ShownFile;
  name: string;
  /** How it failed, without any line of the code. */
  failure: string;
}

export function briefJudge({ spec, requirement, test, name, failure }: JudgeBrief): Message {
  const task = `Do the spec's own words entail what the test ${name} asserts? Quote them exactly, or say that they do not.`;
  return userMessage(
    sections([
      ["Your task", task],
      ["Spec", quoted(spec)],
      ["The requirement it is meant to check", requirementList([requirement])],
      ["The test", showFiles([test])],
      ["How it failed", quoted(failure)],
    ]),
  );
}

export interface CoderBrief {
  goal: string;
  spec: Spec | undefined;
  todo: Todo | undefined;
  project: ProjectView;
  /** Files of the project that the work is about, as they were when it began. */
  files: ShownFile[];
  accept: string[];
  /** Lint and type check of the project, as commands. */
  checks?: string[];
  /** The tests of this part in full; those of finished parts by their paths. */
  tests: ShownFile[];
  olderTests: string[];
  /** What earlier iterations taught, newest last. */
  notes: string[];
  /** What memory had to say, quoted already. */
  recalled?: string;
  /** The change so far, as a diff, from the second iteration on. */
  change: string;
  red: string;
  attachments: Attachment[];
}

export function briefCoder(brief: CoderBrief): Message {
  const { spec, todo } = brief;
  const own = ownRequirements(spec, todo);
  const isPart = todo !== undefined && own.length < (spec?.requirements.length ?? 0);
  return userMessage(
    sections([
      ["Goal", brief.goal],
      ["Your part of it", isPart ? `${todo.title}. The other parts are done separately.` : ""],
      ["Requirements", requirementList(own)],
      ["Out of scope", list(spec?.outOfScope ?? [])],
      [SAID, amendmentList(spec)],
      ["Contract to keep: names, parameters, errors", contractText(spec)],
      ["Commands that must succeed", list(brief.accept)],
      ["Checks of the project that must have nothing new to say", list(brief.checks ?? [])],
      ...projectSections(brief.project),
      ["Tests that must pass (given, read-only)", showFiles(brief.tests)],
      ["Tests of finished parts, which must stay green", list(brief.olderTests)],
      [brief.change === "" ? "Files" : "Files before your change", showFiles(brief.files)],
      ["Your change so far", quoted(brief.change)],
      ["What is still red", quoted(brief.red)],
      ["Notes from earlier attempts", brief.notes.join("\n\n")],
      [MEMORY, brief.recalled ?? ""],
    ]),
    brief.attachments,
  );
}

const ownRequirements = (spec: Spec | undefined, todo: Todo | undefined): Requirement[] =>
  spec?.requirements.filter((item) => !todo || todo.requirements.includes(item.id)) ?? [];

const MEMORY = "From earlier work, quoted";

export interface ReflectorBrief {
  spec: Spec | undefined;
  todo?: Todo | undefined;
  goal: string;
  tests: ShownFile[];
  change: string;
  /** What the coder said when it ended its work: also its objections to a test. */
  said: string;
  red: string;
  /** What is red are findings of a reader: no test has anything to do with it. */
  isReview?: boolean;
  notes: string[];
  /** What memory had to say, quoted already. */
  recalled?: string;
}

export function briefReflector(brief: ReflectorBrief): Message {
  const { spec, todo, goal, tests, change, said, red, isReview = false, notes, recalled } = brief;
  return userMessage(
    sections([
      ["Goal", goal],
      ["Requirements", requirementList(ownRequirements(spec, todo))],
      ["Tests", isReview ? "" : showFiles(tests)],
      ["The change", change === "" ? "(nothing was changed)" : quoted(change)],
      ["What the coder said", said],
      [isReview ? "What a reader of the change found, before any test" : "What is red", quoted(red)],
      ["Earlier findings", notes.join("\n\n")],
      [MEMORY, recalled ?? ""],
    ]),
  );
}

export interface ArchitectBrief {
  goal: string;
  spec: Spec;
  todos: Todo[];
  project: ProjectView;
}

export function briefArchitect({ goal, spec, todos, project }: ArchitectBrief): Message {
  const parts = todos.map((todo) => `- ${todo.id}: ${todo.title} (${todo.requirements.join(", ")})`);
  return userMessage(
    sections([
      ["Goal", goal],
      ["Requirements", requirementList(spec.requirements)],
      ["Out of scope", list(spec.outOfScope)],
      [SAID, amendmentList(spec)],
      [`Todos of a ${spec.kind} in ${spec.language}`, parts.join("\n")],
      ...projectSections(project),
    ]),
  );
}

export interface DebuggerBrief {
  goal: string;
  spec: Spec | undefined;
  /** With it, only what this todo is about is shown. */
  todo?: Todo | undefined;
  change: string;
  red: string;
  /** The smallest failing inputs that property tests found. */
  examples: string[];
  log: string;
  tried: string[];
}

export function briefDebugger({ goal, spec, todo, change, red, examples, log, tried }: DebuggerBrief): Message {
  const own = ownRequirements(spec, todo);
  const isPart = todo !== undefined && own.length < (spec?.requirements.length ?? 0);
  return userMessage(
    sections([
      ["Goal", goal],
      ["The part that stayed red", isPart ? `${todo.title}: ${todo.artifacts.join(", ")}` : ""],
      ["Requirements", requirementList(own)],
      ["What is red", quoted(red)],
      ["Smallest failing inputs", quoted(examples.join("\n"))],
      ["End of the log", quoted(log)],
      ["The change since everything was green", change === "" ? "(nothing was changed)" : quoted(change)],
      ["What was tried", list(tried)],
    ]),
  );
}

export interface ReviewerBrief {
  goal: string;
  spec: Spec | undefined;
  change: string;
  /** What earlier rounds found, each with the author's answer. */
  earlier: string[];
}

export function briefReviewer({ goal, spec, change, earlier }: ReviewerBrief): Message {
  return userMessage(
    sections([
      ["Goal", goal],
      ["Requirements", spec ? requirementList(spec.requirements) : ""],
      ["Out of scope", list(spec?.outOfScope ?? [])],
      [SAID, amendmentList(spec)],
      ["The change", change === "" ? "(nothing was changed)" : quoted(change)],
      ["Earlier rounds", earlier.join("\n\n")],
    ]),
  );
}

export type ReplannerBrief = Omit<ReflectorBrief, "tests" | "said"> & { project: ProjectView };

export function briefReplanner({ spec, goal, project, change, red, notes, recalled }: ReplannerBrief): Message {
  const task =
    "The attempts so far stayed red. Requirements and tests stay as they are: do not call `finish`, but tell the coder in a few sentences of plain text how to go about it now, in another way where the way is at fault.";
  return userMessage(
    sections([
      ["Goal", goal],
      ["Your task now", task],
      ["Requirements", spec ? requirementList(spec.requirements) : ""],
      ["The change so far", quoted(change)],
      ["What is red", quoted(red)],
      ["What was tried", notes.join("\n\n")],
      [MEMORY, recalled ?? ""],
      ...projectSections(project),
    ]),
  );
}

export interface WayBrief extends ReplannerBrief {
  /** Todos that are done, and the others as they are now. */
  done: Todo[];
  left: Todo[];
  todo: Todo | undefined;
}

/** As `briefReplanner`, where the rest of the plan may be changed too. */
export function briefWay({ done, left, todo, ...brief }: WayBrief): Message {
  const task = [
    "The attempts so far stayed red. Requirements and tests stay as they are.",
    "Where only the way is at fault, tell the coder in a few sentences of plain text how to go about it now.",
    "Where the plan itself has turned out to be wrong (a todo that is too large, one that is missing or needless, a wrong order, wrong files), call `finish` with all todos that are left from now on: those that stay under their ids, others added, split, dropped or in another order. Together with what is done they must fulfil every requirement. `why`: one sentence.",
  ].join("\n");
  return userMessage(
    sections([
      ["Goal", brief.goal],
      ["Your task now", task],
      ["Requirements", brief.spec ? requirementList(brief.spec.requirements) : ""],
      ["Todos that are done", list(done.map(todoLine))],
      ["Todos that are left", list(left.map(todoLine))],
      ["The todo that stays red", todo?.id ?? ""],
      ["The change so far", quoted(brief.change)],
      ["What is red", quoted(brief.red)],
      ["What was tried", brief.notes.join("\n\n")],
      [SAID, amendmentList(brief.spec)],
      [MEMORY, brief.recalled ?? ""],
      ...projectSections(brief.project),
    ]),
  );
}

export interface AmendmentBrief {
  goal: string;
  spec: Spec;
  /** What the person says now. */
  words: string;
  done: Todo[];
  left: Todo[];
  project: ProjectView;
}

/** A person says something while the work is under way: the planner makes it part of the spec. */
export function briefAmendment({ goal, spec, words, done, left, project }: AmendmentBrief): Message {
  const task = [
    "The work is under way, and the person has said something more. Decide what it changes.",
    "Where it changes nothing that a test could show (a hint, a wish how to do it), answer with one sentence of plain text; the coder is given the person's words.",
    "Otherwise call `finish` with the whole spec and plan as they are from now on. `requirements`: all of them; those that stay word for word; a changed one keeps its id, a new one gets a new id; the `quote` of both is from the person's new words. One that the person takes back is left out and named in `outOfScope` as `R2: the person's words`.",
    "`todos`: all that are left from now on. What is done stays as it is and need not be repeated: a new or changed requirement belongs to a todo that is left, or to a new one. `superseded`: only tests of the project that the new words make obsolete.",
  ].join("\n");
  return userMessage(
    sections([
      ["Goal", goal],
      ["Your task now", task],
      ["The person's new words", quoted(words)],
      [SAID, amendmentList(spec)],
      ["Requirements", requirementList(spec.requirements)],
      ["Out of scope", list(spec.outOfScope)],
      ["Todos that are done", list(done.map(todoLine))],
      ["Todos that are left", list(left.map(todoLine))],
      ...projectSections(project),
    ]),
  );
}

const SAID = "What the person said since, which counts more than the goal";

const amendmentList = (spec: Spec | undefined): string =>
  (spec?.amendments ?? []).map(({ words }) => quoted(words)).join("\n");

function todoLine({ id, title, requirements, dependsOn, artifacts, files, acceptance }: Todo): string {
  const more = {
    fulfils: requirements,
    "depends on": dependsOn,
    artifacts,
    files: files ?? [],
    acceptance,
  };
  const told = Object.entries(more).flatMap(([name, items]) =>
    items.length > 0 ? [`${name}: ${items.join(", ")}`] : [],
  );
  return `${id}: ${title}${told.length > 0 ? ` (${told.join("; ")})` : ""}`;
}

export function requirementList(requirements: Requirement[]): string {
  return requirements
    .map((item) => {
      const example = item.example ? `\n  example: ${item.example.input} → ${item.example.output}` : "";
      return `${item.id}: ${item.text}${item.assumption ? " (assumption)" : ""}${example}`;
    })
    .join("\n");
}

function projectSections({ paths, more, versions, instructions, terse }: ProjectView): [string, string][] {
  const others = paths.length === 0 ? `${more} files, which list_files shows` : `… and ${more} more`;
  const listing = [...paths, ...(more > 0 ? [others] : [])].join("\n");
  return [
    ["Project files", terse ? "" : listing === "" ? "(empty)" : listing],
    [
      "Available",
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(", "),
    ],
    ["Project instructions", instructions],
  ];
}

export const contractText = (spec: Spec | undefined): string =>
  spec?.contract ? quoted(renderContract(spec.contract)) : "";

export const list = (items: string[]): string => items.map((item) => `- ${item}`).join("\n");

/** Empty sections are left out: a model should not read headings without a text. */
export function sections(parts: [string, string][]): string {
  return parts
    .filter(([, text]) => text.trim() !== "")
    .map(([heading, text]) => `# ${heading}\n${text.trimEnd()}`)
    .join("\n\n");
}
