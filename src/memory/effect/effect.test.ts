import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { balanceOf, pooledDifference } from "./balance.ts";
import { belief, chanceBelow, controlShare } from "./control-share.ts";
import { effectOf, FEWEST_USES, type Use } from "./effect.ts";
import { holdBack } from "./hold-back.ts";
import { differenceInterval, wilson } from "./interval.ts";
import { NOTHING_USUAL } from "./usual.ts";

/** Tasks in order: W won and L lost having seen it, w and l without. */
const uses = (story: string): Use[] =>
  [...story].map((letter, at) => ({
    record: "r1",
    task: `t${at}`,
    iteration: 1,
    shown: letter === letter.toUpperCase(),
    won: letter.toLowerCase() === "w",
    tokens: 100,
    at,
  }));
const story = fc.string({ unit: fc.constantFrom("W", "L", "w", "l"), maxLength: 80 });

describe("the draw of controls", () => {
  test("is the same every time, and a larger share holds back all that a smaller one does", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (lesson, task, a, b) => {
          expect(holdBack(lesson, task, a)).toBe(holdBack(lesson, task, a));
          if (holdBack(lesson, task, Math.min(a, b))) expect(holdBack(lesson, task, Math.max(a, b))).toBe(true);
          expect(holdBack(lesson, task, 0)).toBe(false);
          expect(holdBack(lesson, task, 1)).toBe(true);
        },
      ),
    );
  });

  test("holds back about the share, and not the same tasks for each lesson", () => {
    const tasks = Array.from({ length: 5000 }, (_, at) => `task-${at}`);
    const drawn = (lesson: string) => tasks.filter((task) => holdBack(lesson, task, 0.1));
    const [one, other] = [drawn("a"), drawn("b")];
    expect(one.length / tasks.length).toBeCloseTo(0.1, 1);
    expect(one.filter((task) => other.includes(task)).length / one.length).toBeCloseTo(0.1, 1);
  });

  test("grows with the chance that a record harms, and is the usual one otherwise", () => {
    const share = (story: string, usual = NOTHING_USUAL, asked = 0.1) =>
      controlShare(effectOf(uses(story)), asked, usual);
    expect(share("")).toBe(0.1);
    expect(share("W")).toBe(0.1);
    expect(share("L")).toBeGreaterThan(0.5);
    expect(share("LLL")).toBeGreaterThan(share("L"));
    expect(share("LLLLww")).toBeGreaterThan(0.95);
    expect(share("LLLLwwwwwwwwww")).toBeLessThanOrEqual(0.98);
    expect(share("LLL", NOTHING_USUAL, 0)).toBe(0);
    expect(share("WWWL")).toBe(0.1);
    // An error that is hard with and without it: the record is not to blame.
    expect(share("LLLLWLllllllllllllll")).toBe(0.1);
    const hard = { shown: { tries: 40, wins: 10 }, heldBack: { tries: 40, wins: 2 } };
    expect(share("L", hard)).toBeLessThan(share("L"));
  });
});

test("of two beliefs one is below the other, or the other way round", () => {
  const rate = fc.nat(40).chain((tries) => fc.nat(tries).map((wins) => ({ tries, wins })));
  fc.assert(
    fc.property(rate, rate, rate, (a, b, usual) => {
      const [one, two] = [belief(a, usual, 2), belief(b, usual, 2)];
      expect(chanceBelow(one, two) + chanceBelow(two, one)).toBeCloseTo(1, 6);
      expect(one.mean).toBeGreaterThan(0);
      expect(one.mean).toBeLessThan(1);
    }),
  );
});

describe("intervals", () => {
  test("agree with published figures", () => {
    // Newcombe 1998, tables I and II, 95 %: 81/263, and 56/70 against 48/80 by method 10.
    const z = 1.959964;
    const one = wilson({ tries: 263, wins: 81 }, z);
    expect([one.low, one.high].map((end) => end.toFixed(4))).toEqual(["0.2553", "0.3662"]);
    const two = differenceInterval({ tries: 70, wins: 56 }, { tries: 80, wins: 48 }, z);
    expect([two.low, two.high].map((end) => end.toFixed(4))).toEqual(["0.0524", "0.3339"]);
  });

  test("hold what was observed, and turn round when the sides change", () => {
    const rate = fc.nat(60).chain((tries) => fc.nat(tries).map((wins) => ({ tries, wins })));
    fc.assert(
      fc.property(rate, rate, (a, b) => {
        const there = differenceInterval(a, b);
        const back = differenceInterval(b, a);
        expect(there.low).toBeCloseTo(-back.high, 9);
        if (a.tries > 0 && b.tries > 0) {
          const difference = a.wins / a.tries - b.wins / b.tries;
          expect(there.low).toBeLessThanOrEqual(difference + 1e-9);
          expect(there.high).toBeGreaterThanOrEqual(difference - 1e-9);
        } else expect(there).toEqual({ low: -1, high: 1 });
      }),
    );
  });
});

describe("the effect of a record", () => {
  test("does not depend on the order in which its uses are told", () => {
    fc.assert(
      fc.property(
        story.chain((text) => fc.shuffledSubarray(uses(text), { minLength: text.length })),
        (shuffled) => {
          expect(effectOf(shuffled)).toEqual(effectOf(shuffled.toSorted((a, b) => a.at - b.at)));
        },
      ),
    );
  });

  test("counts a task once, by the first iteration that the record was found for", () => {
    const [use] = uses("L");
    if (!use) throw new Error("no use");
    const again = [2, 3, 4].map((iteration) => ({ ...use, iteration, at: iteration, won: true }));
    expect(effectOf([...again, use])).toMatchObject({ uses: 1, wins: 0, shown: { tries: 1, wins: 0 } });
  });

  test("quarantines only with enough uses, a control, and an interval below zero", () => {
    fc.assert(
      fc.property(story, (text) => {
        const effect = effectOf(uses(text));
        const harms = text.length >= FEWEST_USES && effect.interval.high < 0;
        expect(effect.status === "quarantined").toBe(harms);
        if (harms) expect(effect.heldBack.tries).toBeGreaterThan(0);
      }),
    );
    expect(effectOf(uses("LLLLLww")).status).toBe("active");
    expect(effectOf(uses("LLLLLLww")).status).toBe("quarantined");
    expect(effectOf(uses("LLLLLLLLLLLL")).status).toBe("active");
  });

  test("a further win never makes it look worse, a further win without it never better", () => {
    fc.assert(
      fc.property(story, (text) => {
        const before = effectOf(uses(text));
        expect(effectOf(uses(`${text}W`)).uplift).toBeGreaterThanOrEqual(before.uplift);
        expect(effectOf(uses(`${text}w`)).uplift).toBeLessThanOrEqual(before.uplift);
      }),
    );
  });

  test("decays without effect until it is pruned, and never once it is proven", () => {
    const idle = (rounds: number) => effectOf(uses("WLWLWLWLwl".repeat(rounds)));
    expect([1, 2, 3, 4, 5].map((rounds) => idle(rounds).weight)).toEqual(
      [2, 12, 22, 32, 42].map((surplus) => 2 ** (-surplus / 16)),
    );
    expect([5, 6].map((rounds) => idle(rounds).status)).toEqual(["active", "pruned"]);
    expect(effectOf(uses("WWWWWWWWWll".repeat(12)))).toMatchObject({ weight: 1, status: "active" });
  });
});

describe("the balance of all records", () => {
  test("is not deceived by records of easy errors that are shown more often", () => {
    // Neither has an effect; the easy one is mostly shown, the hard one mostly held back.
    const pairs = [
      [
        { tries: 90, wins: 81 },
        { tries: 10, wins: 9 },
      ],
      [
        { tries: 10, wins: 1 },
        { tries: 90, wins: 9 },
      ],
    ] as const;
    const pooled = pooledDifference(pairs);
    expect(pooled?.difference).toBeCloseTo(0, 9);
    expect(pooled?.interval.low).toBeLessThan(0);
    expect(pooled?.interval.high).toBeGreaterThan(0);
  });

  test("counts the tokens of what was shown, and what the wins saved", () => {
    const balance = balanceOf(uses("WWWWWWWWll"), 1000);
    expect(balance).toMatchObject({ records: 1, uses: 10, spent: 800, uplift: 1 });
    expect(balance.saved?.likely).toBe(8000);
    expect(balanceOf(uses("WW"), 1000)).toMatchObject({ uplift: null, saved: null, spent: 200 });
  });
});
