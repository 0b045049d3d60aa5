import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EvidenceDocument } from "../src/domain/evidence/evidence-document.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { addGoal, byRole } from "./scripted-goal.ts";

test("the evidence of a task is read from its journal, and any changed byte of bundle, tree or journal is named", async () => {
  const builder = await AppBuilder.create(byRole(addGoal));
  const app = await builder.open();
  const { task } = await builder.start(app, { goal: "Write a module that adds two numbers" });
  const miracle = async (...words: string[]) => {
    const env = { MIRACLE_HOME: builder.dataDirectory, PATH: "/usr/bin:/bin" };
    const terminal = fakeTerminal({ directory: builder.directory, home: dirname(builder.directory), env });
    return { exit: await runCommandLine(words, terminal), output: terminal.outputs(), error: terminal.errors() };
  };

  const page = await miracle("show", task, "--evidence");
  expect(page.output).toMatch(/^# ✓ proven/);
  expect(page.output).toContain("R1 calc.add(a, b) returns the sum of two numbers");
  const json = EvidenceDocument.parse(JSON.parse((await miracle("evidence", task, "--json")).output));
  expect(json).toMatchObject({ producer: "run", task, sameModel: true, verdict: { status: "proven" } });
  expect(json.requirements[0]).toMatchObject({ id: "R1", quote: "adds two numbers", support: "red-to-green" });
  expect(json.hashes.journal.map(({ strand }) => strand)).toContain("task");
  expect(Object.keys(json.hashes.prompts)).toContain("coder");
  expect(json.scans).toEqual([]);
  expect(page.output).toContain("none: code, known weaknesses and secrets were looked for");
  expect((await miracle("show", task)).output).toContain("scan: nothing new found");
  expect(json.cost?.calls).toBeGreaterThan(3);

  const report = join(dirname(builder.directory), "report.json");
  writeFileSync(report, (await miracle("show", task, "--report")).output);
  expect((await miracle("validate", report, "--type", "report")).output).toMatch(/holds: 2 tests, 0 red, completed/);
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ coverage: { share: 1 } });
  const { summary } = JSON.parse((await miracle("metrics", "--json")).output);
  expect(summary).toMatchObject({ proven: 1, iterationsToSuccess: 2, coverage: 1, errors: { logic: 1 } });

  const bundle = join(dirname(builder.directory), "evidence");
  expect((await miracle("evidence", task, "-o", bundle)).exit).toBe(0);
  expect(await miracle("verify", bundle)).toMatchObject({ exit: 0, error: "" });
  const rerun = await miracle("verify", bundle, "--rerun");
  expect(rerun.output).toContain("each as the evidence says");
  expect(readFileSync(join(bundle, "tests/tests/test_add_unseen.py"), "utf8")).toContain("add(20, 22)");
  for (const [name, from, to] of [
    ["trees/result.json", "a + b", "a - b"],
    ["cassette.json", "wrote add", "wrote ADD"],
    ["tests/tests/test_add_unseen.py", "42", "43"],
    ["evidence.json", '"scans": []', '"scans": null'],
  ] as const) {
    const file = join(bundle, name);
    const content = readFileSync(file, "utf8");
    const changed = content.includes(from) ? content.replace(from, to) : `${content} `;
    writeFileSync(file, changed);
    const { exit, output } = await miracle("verify", bundle);
    expect([name, exit]).toEqual([name, 6]);
    expect(output).toContain(`${name}: its sha256 is`);
    if (name === "evidence.json") expect(output).toContain("scans: the journal says [], evidence.json says null");
    if (name === "cassette.json") expect(output).toMatch(/cassette\.json: (in|out)put of/);
    writeFileSync(file, content);
  }
  expect((await miracle("verify", bundle)).exit).toBe(0);
});
