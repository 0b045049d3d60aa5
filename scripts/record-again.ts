/**
 * Records a cassette anew, with the answers it already holds: the same goal, today's settings, prompts and tools, a real
 * sandbox and real tests. For when the format of recordings is raised and the answers still fit what is asked.
 *
 *   node scripts/record-again.ts cassettes/demo.json
 *   node scripts/record-again.ts --template trading_strategy cassettes/trading-strategy.json
 *   node scripts/record-again.ts --packages DIR cassettes/typescript-parallel.json    # DIR becomes node_modules
 *
 * It runs in the directory that the recording names, which must not exist. A run that asks for something the cassette has
 * no answer for, or that ends otherwise than the recorded one, is not written: such a recording is to be made by hand.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { askAsRecorded } from "../src/app/recorded-answers.ts";
import { recordedCalls } from "../src/app/recorded-calls.ts";
import { detectedPrompts } from "../src/cli/input/detect-type.ts";
import { resolveSettings } from "../src/cli/input/resolve-settings.ts";
import { treeWithFiles, useTemplate } from "../src/cli/input/use-template.ts";
import { openApp } from "../src/cli/task/open-app.ts";
import type { Terminal } from "../src/cli/terminal/terminal.ts";
import { packageRoot } from "../src/config/package-root.ts";
import { readPrompts } from "../src/config/prompts.ts";
import { ToldMessage } from "../src/domain/plan/amendment.ts";
import { Settings } from "../src/domain/settings/settings.ts";
import { TaskOutcome, TaskRequest } from "../src/domain/task/task.ts";
import { type Cassette, CassetteRecording, exportCassette, parseCassette } from "../src/journal/cassette.ts";
import { tellTask } from "../src/journal/messages.ts";
import { pack, unpack } from "../src/journal/pack.ts";
import { cassetteModel } from "../src/llm/cassette-model.ts";
import { exportTree, importTree, PortableTree } from "../src/workspace/portable-tree.ts";

/** What of a recorded task's settings was the person's choice, by flags. Everything else is today's. */
const Chosen = Settings.pick({ accept: true, clarify: true, architect: true, review: true, audit: true })
  .partial()
  .extend({ limits: Settings.shape.limits.pick({ maxIterations: true, parallel: true }).partial() });

/** A step that took a message. */
const Heard = z.object({ message: ToldMessage });

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { template: { type: "string" }, packages: { type: "string" } },
});
for (const file of positionals) await recordAgain(file);

async function recordAgain(file: string): Promise<void> {
  const before = parseCassette(readFileSync(file, "utf8"), file);
  const old = new CassetteRecording(before);
  const read = (hash: string) => unpack(hash, (blob) => old.blob(blob));
  const frozen = await read(old.frozenHash);
  if (typeof frozen !== "object" || frozen === null || Array.isArray(frozen))
    throw new Error(`${file}: nothing frozen`);
  const request = TaskRequest.parse(frozen.request);
  const { directory } = request;
  if (existsSync(directory)) throw new Error(`${directory} is there already`);
  const home = mkdtempSync(join(tmpdir(), "record-again-"));
  try {
    mkdirSync(directory);
    await using opened = await openApp(terminalIn(directory, home), directory, {
      baseUrl: "http://127.0.0.1:4321/v1",
      model: "local/bridge",
    });
    const { app, config } = opened;
    const steps = (await old.strand("task")).steps;
    const outputOf = (name: string) =>
      steps.filter(({ path }) => path.startsWith(`task/${name}/`)).map((step) => read(step.outputHash));
    const [survey] = await Promise.all(outputOf("survey"));
    const base = typeof survey === "object" && survey !== null && "tree" in survey ? String(survey.tree) : "";
    const begun = old.trees[base];
    if (begun !== undefined) {
      importTree(app.artifacts, old.task, PortableTree.parse(begun));
      await app.artifacts.checkout(base, directory);
    }
    if (values.packages !== undefined) {
      cpSync(values.packages, join(directory, "node_modules"), { recursive: true, verbatimSymlinks: true });
    }
    const { limits, ...chosen } = Chosen.parse(frozen.settings);
    const today = resolveSettings(config);
    const settings = { ...today, ...chosen, limits: { ...today.limits, ...limits } };
    const shipped = readPrompts(packageRoot(), config.promptOverrides);
    const words = request.words ?? request.goal;
    const used =
      values.template === undefined
        ? undefined
        : await useTemplate({ name: values.template, set: [], words }, config, shipped);
    const start = used && (await treeWithFiles(app, directory, used.files));
    const typed = used ? null : await detectedPrompts(request.goal, directory, config, shipped);
    const calls = await recordedCalls(old);
    const messages = (await Promise.all(outputOf("amend"))).map((heard) => Heard.parse(heard).message);
    let drifted = 0;
    let task = "";
    const model = cassetteModel({
      lookup: (path) => calls.get(path),
      hashOf: (asked) => pack(asked).hash,
      onDrift: () => {
        drifted += 1;
      },
    });
    const { startTree: _, ...asked } = request;
    const end = await app.start(
      { ...asked, ...(start?.tree && { startTree: start.tree }) },
      settings,
      used?.prompts ?? typed?.prompts ?? shipped,
      {
        signal: new AbortController().signal,
        ...(await askAsRecorded(old, undefined)),
        onTask: (id) => {
          task = id;
          start?.handOver(id);
        },
        model: {
          complete: async (question, call) => {
            // The person spoke while the coder was at work.
            if (question.role === "coder")
              for (const message of messages.splice(0)) await tellTask(app.store, task, { ...message, at: Date.now() });
            return model.complete(question, call);
          },
        },
      },
    );
    const [settled] = await Promise.all(outputOf("settle"));
    const wanted = TaskOutcome.parse(settled).status;
    if (end.ended !== "settled" || end.outcome.status !== wanted) {
      throw new Error(`${file}: was ${wanted}, and is now ${JSON.stringify(end).slice(0, 2000)}`);
    }
    const recording = await app.recording(end.task);
    const summary = await app.store.read
      .selectFrom("tasks")
      .select("base_tree")
      .where("id", "=", end.task)
      .executeTakeFirstOrThrow();
    const trees: Cassette["trees"] = {};
    for (const tree of [summary.base_tree, start?.tree, end.outcome.tree]) {
      if (tree) trees[tree] = exportTree(app.artifacts, tree);
    }
    const cassette = await exportCassette(recording, trees);
    writeFileSync(file, `${JSON.stringify(cassette)}\n`);
    process.stdout.write(
      `${file}: ${wanted}, ${cassette.steps.length} steps (${before.steps.length} before), ${drifted} requests differ\n`,
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Nobody is there, and nothing of this machine's own settings counts. */
function terminalIn(directory: string, home: string): Terminal {
  const { PATH } = process.env;
  const env = { PATH, HOME: home, MIRACLE_HOME: join(home, "data") };
  return { input: process.stdin, output: process.stdout, error: process.stderr, env, directory, home };
}
