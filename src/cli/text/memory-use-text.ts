import type { Effect } from "../../memory/effect/effect.ts";
import type { Interval, Rate } from "../../memory/effect/interval.ts";
import type { UseFigures } from "../../memory/uses.ts";
import { count, grouped } from "./amounts.ts";

/** What memory did for the work so far. */
export function useText({ recalls, hits, tokens, balance }: UseFigures): string[] {
  if (recalls === 0) return ["use: no task has asked it yet"];
  const { shown, heldBack, uplift, interval, saved } = balance;
  return [
    `asked: ${count(recalls, "time")}, ${grouped(hits)} with a hit (${percent(hits, recalls)})`,
    `${rateText("shown", shown)}; ${rateText("held back as controls", heldBack)}`,
    uplift === null || interval === null
      ? "uplift: not known before some were held back"
      : `uplift: ${differenceText(uplift, interval)}`,
    saved === null
      ? `tokens: ${grouped(tokens)} spent`
      : `tokens: ${grouped(tokens)} spent, ${signed(saved.likely)} saved (${signed(saved.low)} to ${signed(saved.high)})`,
  ];
}

/** What is known of one record. */
export function effectText({ uses, shown, heldBack, uplift, interval }: Effect): string {
  if (uses === 0) return "effect: not found for any task yet";
  return `effect: ${rateText("shown", shown)}; ${rateText("held back", heldBack)}; uplift ${differenceText(uplift, interval)}`;
}

const rateText = (name: string, { tries, wins }: Rate): string =>
  tries === 0 ? `${name}: never` : `${name}: ${grouped(tries)}, green ${percent(wins, tries)}`;

const differenceText = (difference: number, { low, high }: Interval): string =>
  `${points(difference)} (${points(low)} to ${points(high)})`;

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
const points = (share: number): string => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(0)} points`;
const signed = (number: number): string => `${number < 0 ? "−" : ""}${grouped(Math.abs(number))}`;
