import type { Message } from "../../domain/message.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import { quoted, type ShownFile, showFiles } from "../shown-files.ts";
import { MEMORY, ownRequirements, requirementList, sections, userMessage } from "./sections.ts";

export interface ReflectorBrief {
  spec: Spec | undefined;
  todo?: Todo | undefined;
  goal: string;
  tests: ShownFile[];
  change: string;
  /** What the coder said at the end of its work, including objections to a test. */
  said: string;
  red: string;
  notes: string[];
  /** The text that memory found, already quoted. */
  recalled?: string;
}

export function briefReflector(brief: ReflectorBrief): Message {
  const { spec, todo, goal, tests, change, said, red, notes, recalled } = brief;
  return userMessage(
    sections([
      ["Goal", goal],
      ["Requirements", requirementList(ownRequirements(spec, todo))],
      ["Tests", showFiles(tests)],
      ["The change", change === "" ? "(nothing was changed)" : quoted(change)],
      ["What the coder said", said],
      ["What is red", quoted(red)],
      ["Earlier findings", notes.join("\n\n")],
      [MEMORY, recalled ?? ""],
    ]),
  );
}
