import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { packageRoot } from "../src/config/package-root.ts";
import { GatheredEvidence } from "../src/domain/evidence/gathered-evidence.ts";
import { Measured } from "../src/domain/evidence/measured.ts";
import { ModelAnswer } from "../src/domain/message.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { type Cassette, CassetteRecording, parseCassette } from "../src/journal/cassette.ts";
import { readFrozen } from "../src/journal/journal.ts";
import { unpack } from "../src/journal/pack.ts";
import { verifyRecording } from "../src/journal/verify.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { recountEvidence } from "../src/verify/evidence/recount-evidence.ts";
import { GateRun } from "../src/verify/gate/gate.ts";
import { PortableTree, portableTreeId } from "../src/workspace/portable-tree.ts";
import { evidenceOf } from "./forged-bundle.ts";

const UnseenOutcomes = z.array(z.object({ id: z.string(), outcome: z.string() }));
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

describe("what a recording is kept for", () => {
  const strands = (name: string) => [...new Set(load(name).steps.map(({ strand }) => strand))];
  const filesOf = (name: string) => Object.values(load(name).trees).map((tree) => PortableTree.parse(tree).files);

  test("four todos of a template, of which one stays red and is done on a branch by what a debugger found", () => {
    const name = "trading-strategy.json";
    const todos = ["todo:load-data", "todo:indicators", "todo:entry", "todo:exit"];
    expect(strands(name)).toEqual(["task", ...todos, "todo:exit/debug"]);
    const paths = load(name).steps.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["todo:exit/debug/debug/1", "todo:exit/debug/iteration:1/code/1"]));
  });

  test("a bug is mended in a repository of more than 20 files by a change of one of them and a test", () => {
    const [before = [], after = []] = filesOf("bug-fix.json").sort((a, b) => a.length - b.length);
    const old = new Set(before.map((file) => JSON.stringify(file)));
    expect(before.length).toBeGreaterThan(20);
    expect(after.filter((file) => !old.has(JSON.stringify(file))).map(({ path }) => path)).toEqual([
      "src/time/merge-ranges.js",
      "test/merge-ranges.test.js",
    ]);
  });

  test("a change is sent back once by its reviewer and once by its auditor, and tested when both let it pass", () => {
    const paths = load("python-web-api.json").steps.map(({ path }) => path);
    const iterations = (what: string) =>
      paths.flatMap((path) => (path.endsWith(`/${what}/1`) ? [Number(path.split("iteration:")[1]?.[0])] : []));
    expect(iterations("reviewer")).toEqual([1, 2, 3]);
    expect(iterations("auditor")).toEqual([2, 3]);
    // What they found says what to mend: nobody reflects on it.
    expect(iterations("reflect")).toEqual([]);
    expect(iterations("test")).toEqual([3]);
  });

  test("a tool from a template is linted, reviewed and audited, and keeps every requirement of the template", async () => {
    const cassette = load("todo-cli.json");
    const recording = new CassetteRecording(cassette);
    const { request, settings } = await readFrozen(recording);
    expect(request.demands?.map(({ id }) => id)).toEqual(["R1", "R2", "R3", "R4"]);
    expect(settings).toMatchObject({ review: true, audit: true, checks: "language" });
    const outputs = (named: string) =>
      Promise.all(
        cassette.steps
          .filter(({ path }) => path.includes(`/${named}/`))
          .map(({ outputHash }) => unpack(outputHash, (hash) => recording.blob(hash))),
      );
    const lint = "python3 -W error -m compileall -q .";
    // Its directory held words for agents: nothing that configures a check.
    expect(await outputs("checks")).toEqual([[], [{ command: lint, before: [], ofLanguage: true }]]);
    const gates = (await outputs("test")).map((output) => GateRun.parse(output));
    expect(gates.map(({ checks }) => checks)).toEqual(Array(3).fill([{ command: lint, passed: true, fresh: [] }]));
    const paths = cassette.steps.map(({ path }) => path);
    expect(paths.filter((path) => /\/(design|reviewer|auditor)\/1$/.test(path))).toEqual([
      "task/design/1",
      "todo:core/iteration:1/reviewer/1",
      "todo:core/iteration:2/reviewer/1",
      "todo:core/iteration:2/auditor/1",
      "todo:command/iteration:1/reviewer/1",
      "todo:command/iteration:1/auditor/1",
      "todo:command/debug/iteration:1/reviewer/1",
      "todo:command/debug/iteration:1/auditor/1",
    ]);
    const { document } = await evidenceOf(cassette);
    const shown = new Map(document.requirements.map(({ id, support }) => [id, support]));
    expect(["R1", "R2", "R3", "R4"].map((id) => shown.get(id))).toEqual(Array(4).fill("red-to-green"));
  });

  test("a goal of one line is made precise with a person, and what only an unseen test showed is mended", async () => {
    const cassette = load("vague-goal.json");
    const { request } = await readFrozen(new CassetteRecording(cassette));
    expect(request.goal).toBe("something to keep track of what I lend to friends");
    const questions = cassette.steps.filter(({ path }) => path.startsWith("task/question/"));
    const answers = questions.map(({ outputHash }) => cassette.blobs[outputHash ?? ""] ?? "");
    expect(answers.map((answer) => /"granted":true/.test(answer))).toEqual([true, true, true, false]);
    const paths = cassette.steps.map(({ path }) => path);
    const order = [
      "task/clarify-again/1",
      "task/held-out/1",
      "task/dispute/1",
      "mend:1/iteration:1/code/1",
      "task/held-out/2",
    ];
    expect(paths.filter((path) => order.includes(path))).toEqual(order);
  });

  test("what a person says on the way gets its tests first, then its code", () => {
    const paths = load("told.json").steps.map(({ path }) => path);
    const order = [
      "todo:slug/iteration:1/test/1",
      "task/amend/1",
      "task/plan-updated/1",
      "task/tests-again/1",
      "task/red-check/2",
      "todo:umlauts/edition:1/iteration:1/code/1",
      "task/held-out/1",
    ];
    expect(paths.filter((path) => order.includes(path))).toEqual(order);
  });

  test("a package is asked for, allowed, in the manifest of the result, and in what its tests ran in", async () => {
    const name = "new-dependency.json";
    const paths = load(name).steps.map(({ path }) => path);
    const [build, judged] = ["task/environment/1", "todo:api/iteration:1/test/1"];
    const order = ["task/red-check/1", "todo:api/iteration:1/code/approval/1", judged, build];
    expect(paths.filter((path) => order.includes(path))).toEqual(order);
    const [, result = []] = filesOf(name).sort((a, b) => a.length - b.length);
    expect(result.map(({ path }) => path)).toEqual(["api.py", "requirements.txt", "test_api.py"]);
    const { document } = await evidenceOf(load(name));
    expect(document.versions).toMatchObject({
      environment: expect.stringMatching(/^python-[0-9a-f]{16}$/),
      packages: expect.stringContaining("tinyroutes 0.3.1, tinyweb 1.4.0"),
      built: expect.stringMatching(/^in [\d.]+ s by .*pip install/),
    });
  });

  test("three todos of a TypeScript library are written at once, type-checked, merged and proven together", () => {
    const name = "typescript-parallel.json";
    const { steps, blobs } = load(name);
    expect(strands(name).sort()).toEqual(["task", "todo:layout", "todo:parse", "todo:render"]);
    const coding = steps.filter(({ path }) => path.endsWith("/iteration:1/code/1"));
    expect(coding).toHaveLength(3);
    const [begun, ended] = [coding.map(({ startedAt }) => startedAt), coding.map(({ endedAt }) => endedAt)];
    expect(Math.max(...begun)).toBeLessThan(Math.min(...ended));
    const merged = steps.find(({ path }) => path === "task/merged/test/1");
    expect(blobs[merged?.outputHash ?? ""]).toMatch(
      /"checks":\[\{"command":"[^}]*tsc -p \.","fresh":\[\],"passed":true/,
    );
  });

  test("a refactoring of nine files turns red, is mended, and is proven by what held before and after", async () => {
    const [before = [], after = []] = filesOf("refactoring.json").sort((a, b) => a.length - b.length);
    const old = new Map(before.map((file) => [file.path, JSON.stringify(file)]));
    const changed = after.filter((file) => old.has(file.path) && old.get(file.path) !== JSON.stringify(file));
    expect(changed.map(({ path }) => path).filter((path) => path.startsWith("pricer/"))).toHaveLength(9);
    const recording = new CassetteRecording(load("refactoring.json"));
    const { steps } = load("refactoring.json");
    const paths = steps.map(({ path }) => path);
    const order = ["todo:pages/iteration:1/reflect/1", "todo:pages/iteration:2/test/1", "task/held-out/1"];
    expect(paths.filter((path) => order.includes(path))).toEqual(order);
    const gathered = steps.find(({ path }) => path === "task/evidence/1")?.inputHash ?? "";
    const { evidence } = z
      .object({ evidence: GatheredEvidence })
      .parse(await unpack(gathered, (hash) => recording.blob(hash)));
    expect(evidence.requirements.map(({ support }) => support)).toEqual(Array(5).fill("held"));
    expect(evidence.mutants).toMatchObject({ counts: { killed: 86, survived: 1, notRun: 0 } });
  });
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

  test("has evidence of which every number and every standing is told by its journal", async () => {
    const cassette = load(name);
    const { document } = await evidenceOf(cassette);
    expect(recountEvidence(document)).toEqual([]);
    const recording = new CassetteRecording(cassette);
    const read = (hash: string) => unpack(hash, (wanted) => recording.blob(wanted));
    const outputs = (named: string) =>
      Promise.all(
        cassette.steps.filter(({ path }) => path.split("/").at(-2) === named).map(({ outputHash }) => read(outputHash)),
      );
    const answers = cassette.steps.filter(({ kind }) => kind === "model").map(({ outputHash }) => read(outputHash));
    const usages = (await Promise.all(answers)).map((answer) => ModelAnswer.parse(answer).usage);
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
    expect(document.cost).toMatchObject({
      calls: usages.length,
      tokens: sum(usages.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)),
      micros: sum(usages.map(({ costMicros }) => costMicros ?? 0)),
    });
    const gate = (await outputs("test")).map((output) => GateRun.parse(output)).at(-1);
    const seen = document.tests.filter(({ origin }) => origin !== "held-out");
    expect(seen.map(({ id, after }) => [id, after])).toEqual(
      gate?.report?.tests.map(({ id, outcome }) => [id, outcome]),
    );
    const [unseen] = (await outputs("held-out")).slice(-1).map((output) => UnseenOutcomes.parse(output));
    // A test with several cases has a line for each.
    const isCaseOf = (line: string, id: string) => line.startsWith(id);
    const shown = unseen?.map(({ id }) => [
      ...new Set(document.tests.filter((one) => isCaseOf(one.id, id)).map(({ after }) => after)),
    ]);
    expect(shown).toEqual(unseen?.map(({ outcome }) => [outcome]));
    const measured = (await outputs("mutants")).map((output) => Measured.parse(output)).at(-1);
    const { mutants, coverage, flakes } = document;
    expect({ mutants, coverage, flakes }).toEqual({
      mutants: measured?.mutants,
      coverage: measured?.coverage,
      flakes: measured?.flakes,
    });
    const notices = new Map(measured?.sensitivity.map(({ id, state }) => [id, state]));
    for (const { id, support, tests } of document.requirements) {
      const passed = tests.filter((test) => unseen?.some((one) => isCaseOf(test, one.id) && one.outcome === "passed"));
      expect([id, support, passed.length > 0]).toEqual([id, expect.not.stringMatching("none"), true]);
      expect([id, notices.get(id)]).toEqual([id, expect.stringMatching(/^(noticed|no-mutant)$/)]);
    }
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
