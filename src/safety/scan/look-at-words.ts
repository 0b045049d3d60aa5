import type { ExplainedRule } from "./rule.ts";
import type { LanguageRules } from "./scan-rules.ts";

export type AddFinding = (rule: ExplainedRule, from: number, to: number) => void;

/** Error recovery must be no hole: the dangerous words of a text that is not understood count wherever they stand. */
export function lookAtWords(code: string, { words, ...rule }: LanguageRules["broken"], add: AddFinding): void {
  add({ ...rule, id: `${rule.id}.unreadable`, severity: "medium", blocking: false }, 0, 0);
  const pattern = new RegExp(words, "g");
  let count = 0;
  for (const match of code.matchAll(pattern)) {
    count += 1;
    add(rule, match.index, match.index + match[0].length);
  }
  // Letters in disguise move what stands behind them: what only shows then has the place of the file.
  const plain = code
    .normalize("NFKC")
    .replace(/\\u(?:00([0-9a-f]{2})|\{0*([0-9a-f]{2})\})/gi, (_, short: string | undefined, long: string | undefined) =>
      String.fromCharCode(Number.parseInt(short ?? long ?? "", 16)),
    );
  if (plain !== code && [...plain.matchAll(pattern)].length > count) add(rule, 0, 0);
}
