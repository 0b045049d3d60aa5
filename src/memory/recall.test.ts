import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { buildMemory } from "./memory-builder.ts";
import { type RecallFor, recall } from "./recall.ts";
import type { Asked } from "./recalled.ts";

const error = (name: string) => `  File "/app/${name}.py", line 3, in load\nKeyError: '${name}'`;
const about: RecallFor = {
  task: "t1",
  audience: { project: "p1", language: "python" },
  control: 0,
  tokens: 400,
  usesOf: async () => [],
};

test("what is found is shown within its tokens; a control is found and not shown; what mended nothing is neither", async () => {
  await using built = await buildMemory(join(temporaryDirectory(), "miracle.db"));
  const { memory } = built;
  const shared = { project: "p1", language: "python" };
  await memory.keep([
    { ...shared, id: "fixed", error: error("price"), reason: "use get", diff: `- a\n+ ${"b".repeat(800)}` },
    { ...shared, id: "open", error: `${error("owner")}\nTypeError: 'NoneType' object is not subscriptable` },
    { id: "theirs", error: error("x"), project: "p2", reason: "elsewhere" },
  ]);
  const asked: Asked = { cause: "error", errors: [error("b"), error("c")] };
  const shown = await recall(memory, asked, about);
  expect(shown.shown.map(({ id }) => id)).toEqual(["fixed"]);
  expect(shown.text).toContain("│ [fixed]");
  expect(shown.tokens).toBeLessThanOrEqual(about.tokens);
  const held = await recall(memory, asked, { ...about, control: 1 });
  expect(held).toMatchObject({ text: "", tokens: 0, shown: [], heldBack: shown.shown });
  const tight = await recall(memory, asked, { ...about, tokens: 120 });
  expect(tight).toMatchObject({ text: "", shown: [], heldBack: [] });
});
