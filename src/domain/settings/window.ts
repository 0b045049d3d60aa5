import { ofModel } from "./by-model.ts";

/** What a model takes that nobody has said anything about. */
const USUAL = 128_000;

/** The smallest window of these models: any of them may be asked. */
export function windowOf(models: string[], windows: Record<string, number>): number {
  return Math.min(...models.map((model) => ofModel(model, windows) ?? USUAL));
}
