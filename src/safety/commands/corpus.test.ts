import { describe, expect, test } from "vitest";
import { packageRoot } from "../../config/package-root.ts";
import { openJudge } from "../open-safety.ts";
import { readCorpus } from "./corpus/read-corpus.ts";

const judge = openJudge({ root: packageRoot(), policy: undefined });

const DANGEROUS = [
  "dangerous",
  "dangerous-red-team",
  "dangerous-red-team-later",
  "dangerous-fresh",
  "dangerous-inline",
];
const BENIGN = ["benign", "benign-later", "benign-red-team", "benign-red-team-later", "benign-fresh", "benign-inline"];

describe("the corpora", () => {
  test("of dangerous commands in disguise are caught, destructive ones refused outright", async () => {
    for (const name of DANGEROUS) {
      const lines = readCorpus(name).map((line) => ({
        wanted: line.slice(0, line.indexOf("\t")),
        command: line.slice(line.indexOf("\t") + 1),
      }));
      expect(lines.length).toBeGreaterThanOrEqual(50);
      for (const { wanted } of lines) expect(["ask", "deny"]).toContain(wanted);
      const missed: string[] = [];
      for (const { wanted, command } of lines) {
        const { decision } = await judge(command);
        if (decision === "allow" || (wanted === "deny" && decision === "ask")) missed.push(command);
      }
      console.log(`${name}: caught ${rate(lines.length - missed.length, lines.length)}`);
      expect(missed).toEqual([]);
    }
  });

  test("of ordinary development pass", async () => {
    let all = 0;
    const stopped: unknown[] = [];
    for (const name of BENIGN) {
      const lines = readCorpus(name);
      expect(lines.length).toBeGreaterThanOrEqual(60);
      const alarms: unknown[] = [];
      for (const command of lines) {
        const { decision, reasons } = await judge(command);
        if (decision !== "allow") alarms.push({ command, decision, rules: reasons.map(({ rule }) => rule) });
      }
      console.log(`${name}: false alarms ${rate(alarms.length, lines.length)}`);
      all += lines.length;
      stopped.push(...alarms);
    }
    console.log(`false alarms in all: ${rate(stopped.length, all)}`);
    expect(stopped.length / all, JSON.stringify(stopped, null, 2)).toBeLessThanOrEqual(0.01);
  });
});

const rate = (part: number, whole: number): string => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
