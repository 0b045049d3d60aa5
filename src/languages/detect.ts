import type { Language } from "./language.ts";

const SURE_ENOUGH = 0.3;

/** The most likely language of these paths; null if they give no sign. Ties go to the first. */
export function detectLanguage(languages: Language[], paths: string[]): Language | null {
  let best: { language: Language; sure: number } | null = null;
  for (const language of languages) {
    const sure = language.detect(paths);
    if (sure >= SURE_ENOUGH && sure > (best?.sure ?? 0)) best = { language, sure };
  }
  return best?.language ?? null;
}
