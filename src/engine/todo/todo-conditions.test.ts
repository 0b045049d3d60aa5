import { expect, test } from "vitest";
import { differingEffects } from "./todo-conditions.ts";

test("effects that were not declared and those that did not come are told, each with its kind", () => {
  const effects = [
    { change: "create", path: "src/**" },
    { change: "delete", path: "old.js" },
  ] as const;
  const compared = differingEffects(
    [...effects],
    [
      { path: "src/a.js", change: "added" },
      { path: "src/b.js", change: "modified" },
      { path: "old.js", change: "mode" },
    ],
  );
  expect(compared).toEqual({ undeclared: ["edit src/b.js", "edit old.js"], missing: ["delete old.js"] });
});
