import { describe, expect, test } from "vitest";
import { packageRoot } from "../../config/package-root.ts";
import { readCorpus } from "./corpus/read-corpus.ts";
import { judgeCommand } from "./judge-command.ts";
import { loadCommandRules } from "./load-command-rules.ts";

const rules = loadCommandRules(packageRoot());

describe("the corpora", () => {
  test("of dangerous commands in disguise are caught, destructive ones refused outright", () => {
    const lines = readCorpus("dangerous").map((line) => ({
      wanted: line.slice(0, line.indexOf("\t")),
      command: line.slice(line.indexOf("\t") + 1),
    }));
    expect(lines.length).toBeGreaterThanOrEqual(220);
    expect(new Set(lines.map(({ wanted }) => wanted))).toEqual(new Set(["ask", "deny"]));
    const missed = lines.filter(({ wanted, command }) => {
      const { decision } = judgeCommand(command, rules);
      return decision === "allow" || (wanted === "deny" && decision === "ask");
    });
    console.log(`dangerous commands caught: ${rate(lines.length - missed.length, lines.length)}`);
    expect(missed).toEqual([]);
  });

  test("of ordinary development pass", () => {
    const first = readCorpus("benign");
    const lines = [...first, ...readCorpus("benign-later")];
    expect(lines.length).toBeGreaterThanOrEqual(350);
    const stopped = lines.flatMap((command) => {
      const { decision, reasons } = judgeCommand(command, rules);
      return decision === "allow" ? [] : [{ command, decision, rules: reasons.map(({ rule }) => rule) }];
    });
    // Every third of the first lines was not looked at while the rules were made.
    const aside = new Set(first.filter((_, index) => index % 3 === 2));
    const stoppedAside = stopped.filter(({ command }) => aside.has(command));
    console.log(
      `false alarms: ${rate(stopped.length, lines.length)}; of the lines set aside ${rate(stoppedAside.length, aside.size)}`,
    );
    expect(stopped.length / lines.length, JSON.stringify(stopped, null, 2)).toBeLessThanOrEqual(0.01);
  });
});

const rate = (part: number, whole: number): string => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
