import type { Message } from "../../domain/message.ts";
import type { GoalSize, Todo } from "../../domain/plan/plan.ts";
import type { Requirement, Spec } from "../../domain/plan/spec.ts";
import { quoted, type ShownFile, showFiles } from "../shown-files.ts";
import {
  amendmentList,
  contractText,
  list,
  type ProjectView,
  projectSections,
  requirementList,
  SAID,
  sections,
  userMessage,
} from "./sections.ts";

export interface TesterBrief {
  spec: Spec;
  /** Requirements that already have tests. They show how the code is called. */
  standing?: Requirement[];
  todos: Todo[];
  size: GoalSize;
  project: ProjectView;
  /** How tests are run here, and where they belong. */
  conventions: string;
  files: ShownFile[];
  /** Held-out tests that are already used up. */
  used?: ShownFile[];
  onlyHeldOut?: boolean;
  /** Skeletons of tests, made from the contract, for the tester to complete. */
  skeletons?: string;
}

export function briefTester(brief: TesterBrief): Message {
  const { spec, todos, size, project, conventions, files, used = [], onlyHeldOut = false } = brief;
  const task =
    "The visible tests stand. Write only held-out tests (`heldOut: true`), one for each requirement below, with other inputs than those that are used up.";
  const parts = todos.map((todo) => `- ${todo.id}: ${todo.title} (${todo.requirements.join(", ")})`);
  return userMessage(
    sections([
      ["Your task now", onlyHeldOut ? task : ""],
      ["Requirements", requirementList(spec.requirements)],
      ["Requirements that have their tests already", requirementList(brief.standing ?? [])],
      ["Out of scope", list(spec.outOfScope)],
      [SAID, amendmentList(spec)],
      ["Contract, which the code will keep", contractText(spec)],
      [
        "Skeletons from the contract: a start, to be filled in where a requirement asks for it",
        quoted(brief.skeletons ?? ""),
      ],
      [`Todos of a ${size} ${spec.kind}`, parts.join("\n")],
      ["Conventions", conventions],
      ...projectSections(project),
      ["Files", showFiles(files, requirementList(spec.requirements))],
      ["Held-out tests that are used up", showFiles(used)],
    ]),
  );
}

export interface SharpenBrief {
  spec: Spec;
  conventions: string;
  /** The tests that the coder sees. They show how to import the code. */
  visible: ShownFile[];
  survivors: { path: string; line: number; before: string; after: string }[];
}

/** The only part of the change that a tester ever reads: lines that could be different without any test noticing. */
export function briefSharpening({ spec, conventions, visible, survivors }: SharpenBrief): Message {
  const task =
    "The work is done and the code is right as far as the tests tell. Each change of one line below would go unnoticed by every test. Write sharper tests (`heldOut: true`, one new file) that pass now and fail with such a change, wherever a requirement says which of the two is right; expect what the requirement says, never what the line happens to do. Leave out a change that no requirement decides.";
  const byLine = [...Map.groupBy(survivors, ({ path, line, before }) => `${path}:${line}\n${before}`).values()];
  const lines = byLine.map((own, index) => {
    const [{ path, line, before } = { path: "", line: 0, before: "" }] = own;
    const changed = own.map(({ after }) => marked("+", after));
    return `${index + 1}. ${path}:${line}${own.length > 1 ? " (each + alone)" : ""}\n${quoted([marked("-", before), ...changed].join("\n"))}`;
  });
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

/** For tests that were shown to be at fault. */
interface RewriteBrief {
  spec: Spec;
  conventions: string;
  file: ShownFile;
  /** Each test to be rewritten, with its requirements and its fault. */
  faults: { name: string; requirements: string[]; why: string }[];
}

export function briefRewriting({ spec, conventions, file, faults }: RewriteBrief): Message {
  const names = faults.map(({ name }) => name).join(", ");
  const task = `A test of yours was found to be at fault: ${names} in ${file.path}. Change that file alone, by \`edits\`, or as a whole at the same path and for the same todo where names of tests change: every other test in it stays word for word as it is, and in the place of each test at fault stands one or more that check the same requirement as the spec says it, without that fault. Everything else that holds for tests holds for these.`;
  return userMessage(
    sections([
      ["Your task now", task],
      [
        "What was found",
        list(faults.map(({ name, requirements, why }) => `${name} (${requirements.join(", ")}): ${why}`)),
      ],
      ["Requirements", requirementList(spec.requirements)],
      ["Out of scope", list(spec.outOfScope)],
      ["Contract, which the code will keep", contractText(spec)],
      ["Conventions", conventions],
      ["The file, which is yours", showFiles([file])],
    ]),
  );
}
