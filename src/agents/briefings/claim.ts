import type { Message } from "../../domain/message.ts";
import { contractText } from "../../domain/plan/amend-contract.ts";
import type { Contract } from "../../domain/plan/contract.ts";
import type { Requirement } from "../../domain/plan/spec.ts";
import { quoted, type ShownFile, showFiles } from "../shown-files.ts";
import { requirementList, sections, userMessage } from "./sections.ts";

/*
 * The text for roles that decide whether a given test is at fault. They must not see the coder's change, the output or
 * errors of its code, or the words of whoever blames the test. Those would be arguments, and only the spec counts.
 */

export interface ClaimBrief {
  /** The goal and everything derived from it, as one text. Only this text may be quoted. */
  spec: string;
  requirements: Requirement[];
  test: ShownFile;
  name: string;
  /** Files of the project as they were before the work began. */
  base: ShownFile[];
}

export function briefClaimJudge({ spec, requirements, test, name, base }: ClaimBrief): Message {
  const task = `Another case than the one described above: the author of the code saw the test ${name} and could not pass it; it is said to be wrong. Do the spec's own words entail what it asserts? In both cases \`quote\` holds words of the spec, copied exactly: those that say what it asserts, or, where it is not entailed, those that it contradicts or goes beyond. That it is hard to pass is no fault of it.`;
  return userMessage(
    sections([
      ["Your task", task],
      ["Spec", quoted(spec)],
      ["What it is meant to check", requirementList(requirements)],
      ["The test", showFiles([test])],
      ["Files before the work", showFiles(base)],
    ]),
  );
}

/**
 * The architect knows the reasons of the contract. Here the contract is part of the spec, but must not be quoted as
 * proof of itself.
 */
export function briefClaimArchitect({ spec, requirements, test, name, base }: ClaimBrief): Message {
  const task = `Another task than the one described above: the contract stands, and the test ${name} stays red; it is said not to fit. In \`ruling\` say which side is at fault: \`test\` if it asserts what neither requirements nor contract say, \`contract\` if the contract goes against the requirements, \`code\` if both follow from the requirements and the code simply does not do it. Quote the goal or the requirements. Give the contract back as it is, and the reason as \`design\`.`;
  return userMessage(
    sections([
      ["Your task", task],
      ["Goal, requirements and contract", quoted(spec)],
      ["What it is meant to check", requirementList(requirements)],
      ["The test", showFiles([test])],
      ["Files before the work", showFiles(base)],
    ]),
  );
}

/** The architect found the contract at fault, and mends it: nothing else of it changes. */
export function briefContractAmendment(brief: { spec: string; contract: Contract; why: string }): Message {
  const task = `Another task than the one described above: you found that the contract goes against the requirements. Amend it by \`edits\` of its JSON, each text copied exactly and there only once. Change what the requirements decide and nothing else: others work by the rest.`;
  return userMessage(
    sections([
      ["Your task", task],
      ["Goal and requirements", quoted(brief.spec)],
      ["What you found", brief.why],
      ["Contract", quoted(contractText(brief.contract))],
    ]),
  );
}
