import { parse } from "unbash";
import { writtenCode } from "./handlers/written-file.ts";
import { judgeScript } from "./judge-script.ts";
import type { CommandRules } from "./judging/command-rules.ts";
import { openJudging, TooComplex } from "./judging/judging.ts";
import type { CommandReason, CommandVerdict, FirstVerdict } from "./judging/verdict.ts";
import { runWords } from "./run-words.ts";
import { textField } from "./shell/field.ts";
import { MOST_PARSING, parseCost } from "./shell/parse-cost.ts";
import { readScope } from "./shell/scope.ts";
import { walkScript } from "./walk.ts";

/**
 * Says of one command line whether it may run, before it runs. Pure and synchronous; never throws, and fails closed:
 * what cannot be read or told is refused. The work is bounded by the length of the line, a limit of steps and of depth.
 */
export function judgeCommand(line: string, rules: CommandRules): FirstVerdict {
  const judging = openJudging(rules, {
    run: (words, setting) => runWords(words, setting, judging),
    script: (text, setting, own) => judgeScript(text, setting, judging, own),
  });
  const whole = textField(line.slice(0, 200), 0, line.length);
  const refusal = unreadable(line, rules);
  if (refusal) judging.refuse(refusal, whole);
  else {
    try {
      const script = parse(line);
      for (const { message, pos } of script.errors ?? []) {
        judging.refuse(
          "line.unreadable",
          textField(message, Math.min(pos, line.length), Math.min(pos + 1, line.length)),
        );
      }
      const around = {
        scope: readScope(script),
        directories: [rules.workspace],
        within: undefined,
        resolving: new Set<string>(),
        step: judging.step,
      };
      walkScript(script, { around, input: { kind: "none" }, depth: 0, calling: [] }, judging);
    } catch (error) {
      // Whatever goes wrong inside, a line that was not judged to its end does not run.
      judging.refuse(
        error instanceof TooComplex || error instanceof RangeError ? "line.too-complex" : "line.unreadable",
        whole,
      );
    }
  }
  // A parser that recovers from an error may place a node behind the end.
  const within = (offset: number): number => Math.min(offset, line.length);
  const reasons = [...judging.reasons.values()];
  for (const reason of reasons) {
    reason.from = within(reason.from);
    reason.to = within(reason.to);
  }
  const code = [...judging.code, ...writtenCode(judging)];
  return { ...weighReasons(reasons), installs: judging.installs, code };
}

/** Lines that the parser would take too long for are refused before it sees them. */
function unreadable(
  line: string,
  { maxLength }: CommandRules,
): "line.too-long" | "line.too-complex" | "line.unreadable" | undefined {
  if (line.length > maxLength) return "line.too-long";
  if (line.includes("\0")) return "line.unreadable";
  return parseCost(line) > MOST_PARSING ? "line.too-complex" : undefined;
}

/** Gravest first, and what follows from it. */
export function weighReasons(reasons: CommandReason[]): Omit<CommandVerdict, "installs"> {
  const grave = (reason: CommandReason): number => (reason.decision === "deny" ? 0 : 1);
  const sorted = reasons.sort((a, b) => grave(a) - grave(b) || a.from - b.from || a.to - b.to);
  const [first] = sorted;
  return { decision: first?.decision ?? "allow", subject: first?.subject ?? "command", reasons: sorted };
}
