import fc from "fast-check";
import { expect, test } from "vitest";
import { excerpt } from "./excerpt.ts";

const unit = (name: string, lines = 10) =>
  [
    `def ${name}(value):`,
    ...Array.from({ length: lines }, (_, at) => `    value += ${at}  # ${"some words ".repeat(3)}`),
    "    return value",
    "",
  ].join("\n");
const file = (names: string[]) => `import os\n\n\n${names.map((name) => unit(name)).join("\n\n")}`;
const many = Array.from({ length: 40 }, (_, at) => `step_${at}`);

test("a file that is not long is shown as it is, whatever it is about", () => {
  const short = file(["one", "two"]);
  expect(excerpt(short, "nothing of it")).toBe(short);
});

test("of a long file the parts that are named are shown word for word, and the names of what is left out", () => {
  const shown = excerpt(file([...many, "total", "other"]), "total() forgets the quantity");
  expect(shown).toContain(unit("total").trimEnd());
  expect(shown).toContain("import os");
  expect(shown).not.toContain(unit("step_20").trimEnd());
  expect(shown).toMatch(/… lines \d+ to \d+ left out: (step_\d+, )+/);
  expect(shown).toMatch(/left out: other …$/);
});

test("of a class that is too long the head and the method are shown", () => {
  const methods = many.map((name) => unit(name).replace(/^(?=.)/gm, "    ")).join("\n");
  const shown = excerpt(`class Cart:\n${methods}\n`, "Cart.step_33 is wrong");
  expect(shown).toContain("class Cart:");
  expect(shown).toContain(
    unit("step_33")
      .replace(/^(?=.)/gm, "    ")
      .trimEnd(),
  );
  expect(shown).not.toContain("def step_20(");
});

test("a word that stands everywhere chooses nothing", () => {
  const shown = excerpt(file(many), "the value is wrong");
  expect(shown?.split("\n").length).toBeLessThan(20);
});

test("whatever the file and the words, each line that is shown is one of the file, in its order, and little is shown", () => {
  const lines = fc.array(fc.constantFrom("def alpha():", "  beta = 1", "}", "", "\tgamma()", "x".repeat(300)), {
    maxLength: 400,
  });
  fc.assert(
    fc.property(lines, fc.constantFrom("alpha", "beta", "gamma beta", ""), (all, about) => {
      const text = all.join("\n");
      const shown = excerpt(text, about);
      if (text.length <= 6000 || shown === null) {
        expect([text, null]).toContain(shown);
        return;
      }
      expect(shown.length).toBeLessThan(12_000);
      let at = 0;
      for (const line of shown.split("\n")) {
        if (line.startsWith("… lines ") || line === "") continue;
        at = all.indexOf(line, at) + 1;
        expect(at).toBeGreaterThan(0);
      }
    }),
    { numRuns: 200 },
  );
});

test("a file of one endless line has no part that could be shown", () => {
  expect(excerpt("x".repeat(9000), "x")).toBeNull();
});
