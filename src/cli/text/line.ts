/** How a line is meant. A terminal with colours shows it; the words alone say it as well. */
export type Tone = "plain" | "head" | "good" | "bad" | "warn" | "dim";

/** One line for a person. */
export interface Line {
  text: string;
  tone: Tone;
}

export const line = (text: string, tone: Tone = "plain"): Line => ({ text, tone });

/** For whoever has no colours. */
export const plain = (lines: readonly Line[]): string => lines.map(({ text }) => text).join("\n");
