// Starts processes: proofs are made and run again in sandboxes.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { type MeasuredRow, withDocument, withMeasurements, written } from "./forged-bundle.ts";
import { SampleRepository } from "./sample-repository.ts";
import { temporaryDirectory } from "./temporary.ts";

const LONG = { timeout: 300_000 };

/** Nobody tests the edge at 10. */
const FEE = "def fee(amount):\n    return 3 if amount > 10 else 1\n";
const TESTS = "from fees import fee\n\n\ndef test_fee():\n    assert fee(50) == 3\n    assert fee(2) == 1\n";

async function miracle(directory: string, ...args: string[]) {
  const home = temporaryDirectory();
  const env = { MIRACLE_HOME: join(home, "data"), PATH: "/usr/bin:/bin" };
  const terminal = fakeTerminal({ directory, home, env });
  const exit = await runCommandLine(args, terminal);
  return { exit, output: terminal.outputs(), error: terminal.errors() };
}

const verify = (bundle: string, ...flags: string[]) => miracle(dirname(bundle), "verify", bundle, ...flags);

async function proven(): Promise<Map<string, Buffer>> {
  const repository = new SampleRepository({ "fees.py": "def fee(amount):\n    return 1\n", "test_fees.py": "" });
  repository.write({ "fees.py": FEE, "test_fees.py": TESTS });
  const bundle = join(temporaryDirectory(), "evidence");
  await miracle(repository.directory, "prove", "-q", "-o", bundle);
  const names = readdirSync(bundle, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(bundle, name)).isFile() && name !== "manifest.sha256");
  return new Map(files.map((name) => [name, readFileSync(join(bundle, name))]));
}

/** Every mutant noticed, and every count made to fit. */
function allNoticed(rows: MeasuredRow[]): void {
  const { found } = rows.find(({ name }) => name === "mutants") ?? never();
  const survivors = found.results.filter(({ fate }: { fate: string }) => fate === "survived");
  expect(survivors.length).toBeGreaterThan(0);
  for (const one of survivors)
    Object.assign(one, {
      fate: "killed",
      killedBy: ["test_fees.py::test_fee"],
      expectedBy: ["test_fees.py::test_fee"],
    });
  found.counts.killed += survivors.length;
  found.counts.survived = 0;
}

test("measurements that were made up as a whole hold, and running the proof again finds them", LONG, async () => {
  const genuine = await proven();
  const again = await verify(written(genuine), "--rerun");
  expect(again.output).toMatch(/run again: 1 test and \d+ mutants, each as the evidence says/);
  expect(again.output).not.toContain("not run again");
  expect(again.exit).toBe(0);

  const forged = written(await withMeasurements(genuine, allNoticed));
  const held = await verify(forged);
  expect(held.output).toContain("it says: proven: ");
  expect(held.output).toContain("not signed: whoever made it may have made everything in it");
  expect(held.exit).toBe(0);
  const { exit, output } = await verify(forged, "--rerun");
  expect(output).toMatch(/mutant fees.py:\S+ \(.*\): survived, the evidence says killed/);
  expect(output).toMatch(/fees.py fee: not judged \(no test notices .*\), the evidence says shown/);
  expect(output).toContain("the verdict: proven-in-part, the evidence says proven");
  expect(exit).toBe(6);
});

test("a bundle that left itself no time is run again with enough of it", LONG, async () => {
  const genuine = await proven();
  const cut = await withMeasurements(genuine, (rows) => {
    allNoticed(rows);
    const { found } = rows.find(({ name }) => name === "asked") ?? never();
    Object.assign(found, { budgetMs: 1, withinMs: 1 });
  });
  const { exit, output } = await verify(written(cut), "--rerun");
  expect(output).toContain("the verdict: proven-in-part, the evidence says proven");
  expect(exit).toBe(6);

  const left = await withMeasurements(genuine, (rows) => {
    const { found } = rows.find(({ name }) => name === "asked") ?? never();
    found.leave = ["fees.py"];
  });
  const held = await verify(written(left));
  expect(held.output.split("\n")[0]).toContain("1 place left unjudged by whoever made it");

  const without = new Map([...genuine].filter(([name]) => name !== "measurements.json"));
  const said = withDocument(without, ({ notes }) =>
    notes.push("measurements.json is not in the bundle, because it holds a secret"),
  );
  const none = await verify(written(said), "--rerun");
  expect(none.error).toContain("measurements.json is not in the bundle, so its proof cannot be run again");
  expect(none.exit).toBe(64);
});

const never = (): never => {
  throw new Error("the genuine bundle has it");
};
