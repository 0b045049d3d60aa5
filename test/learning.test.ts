import { expect, test } from "vitest";
import { chart } from "../evals/learning/chart.ts";
import { mean } from "../evals/learning/figures.ts";
import { simulate } from "../evals/learning/run.ts";

test("in the simulation memory saves iterations, and its effect measure takes a third of their harm from wrong lessons, on two short streams already", async () => {
  const outcomes = await simulate(2, 80);
  const late = (arm: keyof typeof outcomes, of: "iterations" | "tokens" | "onPoisoned") =>
    mean(outcomes[arm].flatMap(({ tasks }) => tasks.slice(40).map((task) => task[of])));
  expect(late("memory", "iterations")).toBeLessThan(late("no memory", "iterations") - 0.5);
  expect(late("memory", "tokens")).toBeLessThan(late("no memory", "tokens"));
  const harm = (arm: keyof typeof outcomes) => late(arm, "onPoisoned") - late("no memory", "onPoisoned");
  expect(harm("poisoned, unmeasured")).toBeGreaterThan(0.3);
  expect(harm("poisoned")).toBeLessThan((harm("poisoned, unmeasured") * 2) / 3);
}, 300_000);

test("a chart is the same bytes for the same figures, with every line in it", () => {
  const lines = [{ name: "memory", colour: "#000000", values: [1, 2, 3] }];
  const drawn = chart("a title", "b", "c", lines);
  expect(chart("a title", "b", "c", lines)).toBe(drawn);
  expect(drawn).toContain(">memory</text>");
  expect(drawn.match(/<polyline/g)).toHaveLength(1);
});
