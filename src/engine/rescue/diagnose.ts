import { clip } from "../../agents/tools/clip.ts";
import { isRed } from "../../domain/evidence/test-report.ts";
import type { TodoResult } from "../todo/todo-work.ts";

const SHOWN_TESTS = 6;
const MESSAGE_CHARACTERS = 3000;
const LOG_CHARACTERS = 3000;

/**
 * What is known of a red todo before a model is asked: tracebacks, the smallest failing input, logs, earlier attempts.
 */
export interface Diagnosis {
  red: string;
  examples: string[];
  log: string;
  tried: string[];
}

export function diagnose({ gate, iterations, settled }: TodoResult): Diagnosis {
  const tests = gate?.report?.tests.filter(isRed) ?? [];
  const shown = tests.slice(0, SHOWN_TESTS).map(({ id, message }) => `${id}\n${clip(message, MESSAGE_CHARACTERS)}`);
  const more = tests.length > SHOWN_TESTS ? [`and ${tests.length - SHOWN_TESTS} more red tests`] : [];
  const failed = gate?.accept.filter(({ passed }) => !passed) ?? [];
  const commands = failed.map(
    ({ command, ending, output }) => `${command} ${ending}\n${clip(output, MESSAGE_CHARACTERS)}`,
  );
  const bare = settled.ok ? "" : settled.failure.message;
  const red = [...shown, ...more, ...commands].join("\n\n");
  return {
    red: red === "" ? bare : red,
    examples: [...new Set(tests.flatMap(({ message }) => shrunkenExamples(message)))],
    log: clip(gate?.report?.output.trimEnd() ?? "", LOG_CHARACTERS),
    tried: iterations.flatMap(({ number, reflection, hypothesis }) =>
      reflection === undefined ? [] : [`${number}: ${reflection} Tried: ${hypothesis ?? ""}`],
    ),
  };
}

/** The lines of the log that the red tests' messages do not repeat. Tracebacks stand in both. */
export function unsaid(log: string, red: string): string {
  const told = new Set(red.split("\n").map((line) => line.trim()));
  return log
    .split("\n")
    .filter((line) => line.trim() === "" || !told.has(line.trim()))
    .join("\n")
    .replace(/\n{2,}/g, "\n");
}

/** The smallest failing input that a property test found. Hypothesis and fast-check print it in different words. */
export function shrunkenExamples(message: string): string[] {
  const lines = message.split("\n").map((line) => line.replace(/^E\s+/, ""));
  return lines.flatMap((line, at) => {
    const counter = /^\s*Counterexample: (.+)$/.exec(line)?.[1];
    if (counter !== undefined) return [counter];
    if (!/^\s*Falsifying example: /.test(line)) return [];
    const text = [line.replace(/^\s*Falsifying example: /, "")];
    // The example continues over several lines until its bracket closes.
    for (const next of lines.slice(at + 1, at + 12)) {
      if (text.join("").includes(")") && balanced(text.join(""))) break;
      text.push(next.trim());
    }
    return [text.join(" ")];
  });
}

const balanced = (text: string): boolean => text.split("(").length === text.split(")").length;
