import { join } from "node:path";
import { expect, test } from "vitest";
import { buildMemory } from "../../test/memory-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
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

test("what is likely of another cause is not told, nor what this task saw in vain; others still see that", async () => {
  await using built = await buildMemory(join(temporaryDirectory(), "miracle.db"));
  const shared = { project: "p1", language: "python", reason: "use get" };
  await built.memory.keep([
    { ...shared, id: "key", error: error("price") },
    { ...shared, id: "port", error: "OSError: [Errno 98] Address already in use by some other server" },
  ]);
  const asked: Asked = { cause: "error", errors: [error("b")] };
  const lost = { record: "key", task: "t1", iteration: 1, shown: true, won: false, tokens: 9, at: 1 };
  const told = async (more: Partial<RecallFor>) =>
    (await recall(built.memory, asked, { ...about, ...more })).shown.map(({ id }) => id);
  expect(await told({})).toEqual(["key"]);
  expect(await told({ usesOf: async () => [lost] })).toEqual([]);
  expect(await told({ usesOf: async () => [lost], task: "t2" })).toEqual(["key"]);
  expect(await told({ usesOf: async () => [{ ...lost, shown: false }] })).toEqual(["key"]);
});

test("an error finds its own lesson as likely, however it is pasted, and one of another cause as not", async () => {
  await using built = await buildMemory(join(temporaryDirectory(), "miracle.db"));
  const raw = (path: string) =>
    `Traceback (most recent call last):\n  File "${path}", line 3, in load\n    return row['price']\nKeyError: 'price'`;
  const shared = { project: "p1", language: "python", reason: "use get" };
  await built.memory.keep([
    { ...shared, id: "own", error: raw("/app/load.py") },
    { ...shared, id: "other", error: "OSError: [Errno 98] Address already in use" },
  ]);
  const pasted = [raw("/app/load.py"), `$ python load.py\n${raw("/home/ada/shop/load.py")}\n`, "KeyError: 'price'"];
  for (const error of pasted) {
    const found = await built.memory.find({ kind: "lesson", error, for: "any", limit: 5 });
    expect(found.map(({ id, isLikely }) => [id, isLikely])).toContainEqual(["own", true]);
    expect(found.filter(({ isLikely }) => isLikely).map(({ id }) => id)).toEqual(["own"]);
  }
});

test("what is a person's is found from any of their projects and by nobody else, and stands behind what a project knows", async () => {
  await using built = await buildMemory(join(temporaryDirectory(), "miracle.db"));
  const shared = { language: "python", reason: "use get", error: error("price") };
  await built.memory.keep([{ ...shared, id: "anns", scope: "mine", project: "ann" }]);
  const asked: Asked = { cause: "error", errors: [error("b")] };
  const told = async (project: string, person?: string) => {
    const audience = { project, language: "python", ...(person !== undefined && { person }) };
    return (await recall(built.memory, asked, { ...about, audience })).shown.map(({ id }) => id);
  };
  expect(await told("p1", "ann")).toEqual(["anns"]);
  expect(await told("p2", "ann")).toEqual(["anns"]);
  expect(await told("p1", "bob")).toEqual([]);
  expect(await told("p1")).toEqual([]);
  await built.memory.keep([{ ...shared, id: "own", project: "p2" }]);
  expect(await told("p2", "ann")).toEqual(["own"]);
});
