import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/config/package-root.ts";
import { readTemplate, templatePlaces } from "../src/config/templates.ts";
import { passes } from "../src/domain/evidence/test-report.ts";
import { fillTemplate } from "../src/domain/plan/template.ts";
import { parseCassette } from "../src/journal/cassette.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { PortableTree } from "../src/workspace/portable-tree.ts";
import { SampleProject } from "./sample-project.ts";

const { todos } = fillTemplate(readTemplate(templatePlaces(packageRoot(), []), "trading_strategy"), {});

/** What a recorded run from the template delivered. */
const name = "trading-strategy.json";
const { trees } = parseCassette(readFileSync(join(packageRoot(), "cassettes", name), "utf8"), name);
const delivered = Object.values(trees)
  .map((tree) => PortableTree.parse(tree).files)
  .reduce((most, files) => (files.length > most.length ? files : most));
const contents = new Map(delivered.map((file) => [file.path, "content" in file ? file.content : ""]));

test.each(todos.flatMap(({ id, artifacts }) => artifacts.map((path) => [id, path])))(
  "the strategy's step %s leaves its artifact %s",
  (_, path) => {
    expect(contents.has(path)).toBe(true);
  },
);

test.each(todos)(
  "the strategy's step $id is tested alone: by its own tests, its own artifacts and the fixtures",
  async ({ id, artifacts }) => {
    const step = id.replaceAll("-", "_");
    const tests = [`test_${step}.py`, `test_contract_examples_${step}.py`];
    const own = [...contents].filter(
      ([path]) => tests.includes(path) || artifacts.includes(path) || path.startsWith("fixtures/"),
    );
    expect(own.map(([path]) => path)).toEqual(expect.arrayContaining(tests));
    using project = new SampleProject(Object.fromEntries(own));
    const report = await project.run(openLanguages().named("python"), { files: tests });
    expect(passes(report), report.output).toBe(true);
    // Without what the step makes they fail: it is this step that they test.
    using bare = new SampleProject(Object.fromEntries(own.filter(([path]) => !artifacts.includes(path))));
    expect(passes(await bare.run(openLanguages().named("python"), { files: tests }))).toBe(false);
  },
);
