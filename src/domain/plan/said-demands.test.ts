import { expect, test } from "vitest";
import { withSaidDemands } from "./said-demands.ts";

const goal = "Make `words.py` count words. It must take at most 0.5 s for words.txt, and `make check` must pass.";

test("what the person's words demand stays", () => {
  const todo = {
    acceptance: ["make check"],
    metrics: [{ name: "seconds", command: "python3 time_it.py", atMost: 0.5 }],
  };
  expect(withSaidDemands(todo, goal)).toEqual(todo);
});

test("what only the planner would like to see is dropped, and nothing is added", () => {
  const todo = {
    acceptance: ["python3 -m mypy ."],
    metrics: [
      { name: "coverage", command: "coverage report --format=total", atLeast: 90 },
      { name: "seconds", command: "python3 time_it.py", atMost: 0.5, atLeast: 0.1 },
      { name: "nothing", command: "wc -l words.py" },
    ],
  };
  expect(withSaidDemands(todo, goal)).toEqual({ acceptance: [], metrics: [] });
  expect(withSaidDemands({}, goal)).toEqual({});
});
