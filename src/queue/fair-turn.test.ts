import fc from "fast-check";
import { expect, test } from "vitest";
import { type Line, nextLine } from "./fair-turn.ts";

const PROJECTS = ["shop", "blog", "wiki"];
const able = { labels: ["gpu"], projects: PROJECTS };

const line = (person: string, more: Partial<Line> = {}): Line => ({
  person,
  project: "shop",
  labels: [],
  ready: 1,
  running: 0,
  priority: 0,
  oldest: 0,
  lastTurn: 0,
  ...more,
});

const chosen = (...lines: Line[]) => nextLine(lines, able);

test("who has least under way is next, then who waited longest for a turn", () => {
  const [ann, bob] = [line("ann", { running: 2 }), line("bob", { running: 1, lastTurn: 9 })];
  expect(chosen(ann, bob)).toBe(bob);
  const [cleo, dan] = [line("cleo", { lastTurn: 7 }), line("dan", { lastTurn: 5 })];
  expect(chosen(ann, bob, cleo, dan)).toBe(dan);
});

test("what a person has under way in one project counts in all", () => {
  const [here, there, bob] = [
    line("ann"),
    line("ann", { project: "blog", ready: 0, running: 3 }),
    line("bob", { running: 2 }),
  ];
  expect(chosen(here, there, bob)).toBe(bob);
});

test("what is urgent comes first for one person, and changes nothing for others", () => {
  const [low, high, bob] = [
    line("ann"),
    line("ann", { project: "blog", priority: 5, lastTurn: 3 }),
    line("bob", { lastTurn: 2 }),
  ];
  expect(chosen(low, high)).toBe(high);
  expect(chosen(low, high, bob)).toBe(bob);
});

test("a person's projects take turns, and then the oldest is next", () => {
  const [busy, old, late] = [
    line("ann", { running: 1 }),
    line("ann", { project: "blog", oldest: 1, lastTurn: 4 }),
    line("ann", { project: "wiki", oldest: 2, lastTurn: 3 }),
  ];
  expect(chosen(busy, old)).toBe(old);
  expect(chosen(busy, old, late)).toBe(late);
  const needy = line("ann", { project: "wiki", oldest: 1, lastTurn: 3, labels: ["gpu"] });
  expect(chosen(late, needy)).toBe(needy);
});

test("what needs what the worker lacks, or is elsewhere, waits for another one", () => {
  expect(chosen(line("ann", { labels: ["docker"] }), line("ann", { project: "attic" }))).toBeNull();
  const drawn = line("ann", { labels: ["gpu"] });
  expect(chosen(drawn)).toBe(drawn);
});

interface Arrival {
  person: string;
  project: string;
  priority: number;
  count: number;
}

const people = ["ann", "bob", "cleo", "dan"];

const arrivals = fc.array(
  fc.record({
    person: fc.constantFrom(...people),
    project: fc.constantFrom(...PROJECTS),
    priority: fc.integer({ min: 0, max: 2 }),
    count: fc.integer({ min: 1, max: 500 }),
  }),
  { minLength: 1, maxLength: 12 },
);

test("one with a single job waits for one turn of each other person at most, whatever these have", () => {
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 40 }), (crowd, slots, earlier) => {
      const shop = new Simulation(crowd, slots);
      for (let turn = 0; turn < earlier; turn += 1) shop.begin();
      shop.enter({ person: "eve", project: "shop", priority: 0, count: 1 });
      let waited = 0;
      while (shop.begin() !== "eve") waited += 1;
      expect(waited).toBeLessThanOrEqual(people.length);
    }),
  );
});

test("everything is begun at last", () => {
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 8 }), (crowd, slots) => {
      const shop = new Simulation(crowd, slots);
      const begun = new Map<string, number>();
      for (let person = shop.begin(); person !== null; person = shop.begin()) {
        begun.set(person, (begun.get(person) ?? 0) + 1);
      }
      const wanted = new Map<string, number>();
      for (const { person, count } of crowd) wanted.set(person, (wanted.get(person) ?? 0) + count);
      expect(begun).toEqual(wanted);
    }),
    { numRuns: 20 },
  );
});

/** So many jobs at once; when all hands are full, the one that was begun first ends. */
class Simulation {
  readonly #lines: Line[] = [];
  readonly #running: Line[] = [];
  readonly #slots: number;
  #turn = 0;

  constructor(crowd: Arrival[], slots: number) {
    this.#slots = slots;
    for (const arrival of crowd) this.enter(arrival);
  }

  enter({ person, project, priority, count }: Arrival): void {
    this.#lines.push(line(person, { project, priority, ready: count, oldest: this.#lines.length }));
  }

  /** Whose job is begun next. */
  begin(): string | null {
    if (this.#running.length === this.#slots) {
      const ended = this.#running.shift();
      if (ended) ended.running -= 1;
    }
    const next = nextLine(this.#lines, able);
    if (!next) return null;
    this.#turn += 1;
    next.ready -= 1;
    next.running += 1;
    next.lastTurn = this.#turn;
    this.#running.push(next);
    return next.person;
  }
}
