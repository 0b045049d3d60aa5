import { expect, test } from "vitest";
import { balanceOf } from "../../memory/effect/balance.ts";
import { effectOf, type Use } from "../../memory/effect/effect.ts";
import { effectText, useText } from "./memory-use-text.ts";

const uses: Use[] = [..."WWWWWWLLlllw"].map((letter, at) => ({
  record: "r1",
  task: `t${at}`,
  iteration: 1,
  shown: letter === letter.toUpperCase(),
  won: letter.toLowerCase() === "w",
  tokens: 100,
  at,
}));

test("figures of use say how often, with what effect and at what price, and nothing that is not known", () => {
  const figures = { recalls: 20, hits: 12, tokens: 1600, balance: balanceOf(uses, 5000) };
  expect(useText(figures)).toEqual([
    "asked: 20 times, 12 with a hit (60 %)",
    "shown: 8, green 75 %; held back as controls: 4, green 25 %",
    expect.stringMatching(/^uplift: \+50 points \([−+]\d+ points to \+\d+ points\)$/),
    expect.stringMatching(/^tokens: 1,600 spent, 20,000 saved \(/),
  ]);
  const shownOnly = uses.filter(({ shown }) => shown);
  const alone = useText({ ...figures, balance: balanceOf(shownOnly, 5000) });
  expect(alone.slice(2)).toEqual(["uplift: not known before some were held back", "tokens: 1,600 spent"]);
  expect(useText({ recalls: 0, hits: 0, tokens: 0, balance: balanceOf([], 0) })).toHaveLength(1);
  expect(effectText(effectOf(uses))).toContain("shown: 8, green 75 %; held back: 4, green 25 %; uplift +");
  expect(effectText(effectOf([]))).toBe("effect: not found for any task yet");
});
