import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../src/config/package-root.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { type Cassette, CassetteRecording, parseCassette } from "../src/journal/cassette.ts";
import { readFrozen } from "../src/journal/journal.ts";
import { verifyRecording } from "../src/journal/verify.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { PortableTree, portableTreeId } from "../src/workspace/portable-tree.ts";

const folder = join(packageRoot(), "cassettes");
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
const load = (name: string): Cassette => parseCassette(readFileSync(join(folder, name), "utf8"), name);

test("at least three genuine runs ship, in both languages", async () => {
  const languages = new Set<string>();
  for (const name of names) {
    const result = Object.values(load(name).trees).map((tree) => PortableTree.parse(tree));
    const paths = result.flatMap((tree) => tree.files.map((file) => file.path));
    if (paths.some((path) => path.endsWith(".py"))) languages.add("python");
    if (paths.some((path) => path.endsWith(".js"))) languages.add("javascript");
  }
  expect(names.length).toBeGreaterThanOrEqual(3);
  expect([...languages].sort()).toEqual(["javascript", "python"]);
});

describe.each(names)("cassette %s", (name) => {
  test("holds in every hash", async () => {
    expect((await verifyRecording(new CassetteRecording(load(name)))).faults).toEqual([]);
  });

  test("replays to the tree whose contents it carries, with no model, sandbox or file", async () => {
    const cassette = load(name);
    const replayed = await replayTask(new CassetteRecording(cassette), openLanguages());
    if (replayed.ended !== "same") throw new Error(JSON.stringify(replayed));
    const { tree, status } = replayed.outcome;
    expect(status).toBe("proven");
    expect(portableTreeId(PortableTree.parse(cassette.trees[tree ?? ""]))).toBe(tree);
  });

  test("with an edited prompt still replays, and against today's names the first step that would differ", async () => {
    const recording = new CassetteRecording(load(name));
    const frozen = await readFrozen(recording);
    const today = { ...frozen, prompts: { ...frozen.prompts, planner: `${frozen.prompts.planner} Hurry.` } };
    const replayed = await replayTask(recording, openLanguages(), today);
    expect(replayed).toMatchObject({ ended: "diverged", divergence: { step: "task/plan/1" } });
    expect(await replayTask(recording, openLanguages())).toMatchObject({ ended: "same" });
  });

  test("does not hold any more when one byte of a recorded output is changed", async () => {
    const cassette = load(name);
    const step = cassette.steps.find((candidate) => candidate.kind === "model");
    const output = step?.outputHash ?? "";
    const text = cassette.blobs[output] ?? "";
    const changed = { ...cassette, blobs: { ...cassette.blobs, [output]: text.replace(/[a-z](?=[^a-z]*$)/, "_") } };
    expect(changed.blobs[output]).not.toBe(text);
    const { faults } = await verifyRecording(new CassetteRecording(changed));
    expect(faults).toEqual([expect.stringContaining(`output of ${step?.path}`)]);
  });
});
