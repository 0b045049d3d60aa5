import type { Message } from "../../domain/message.ts";
import type { Requirement } from "../../domain/plan/spec.ts";
import { quoted, type ShownFile, showFiles } from "../shown-files.ts";
import { sections, userMessage } from "./sections.ts";

export interface JudgeBrief {
  spec: string;
  requirement: Requirement;
  test: ShownFile;
  name: string;
  /** How the test failed, without any line of the code. */
  failure: string;
}

export function briefJudge({ spec, requirement, test, name, failure }: JudgeBrief): Message {
  const task = `Do the spec's own words entail what the test ${name} asserts? It is meant to check this: ${requirement.text}. Quote the words exactly, or say that they do not.`;
  return userMessage(
    sections([
      ["Your task", task],
      ["Spec", quoted(spec)],
      ["The test", showFiles([test])],
      ["How it failed", quoted(failure)],
    ]),
  );
}
