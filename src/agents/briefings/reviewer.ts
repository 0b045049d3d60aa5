import type { Message } from "../../domain/message.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import { quoted } from "../shown-files.ts";
import { amendmentList, list, requirementList, SAID, sections, userMessage } from "./sections.ts";

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
