import type { Message } from "../../domain/message.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import { quoted } from "../shown-files.ts";
import { list, ownRequirements, requirementList, sections, userMessage } from "./sections.ts";

export interface DebuggerBrief {
  goal: string;
  spec: Spec | undefined;
  /** If it is given, only what this todo is about is shown. */
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
