/**
 * Records a cassette anew, with the answers it already holds: the same goal, today's settings, prompts and tools, a real
 * sandbox and real tests. For when the format of recordings is raised and the answers still fit what is asked.
 *
 *   node scripts/record-again.ts cassettes/demo.json
 *   node scripts/record-again.ts --template trading_strategy cassettes/trading-strategy.json
 *   node scripts/record-again.ts --packages DIR cassettes/typescript-parallel.json    # DIR becomes node_modules
 *   node scripts/record-again.ts --index cassettes/new-dependency.json    # with an index of packages on this machine
 *   node scripts/record-again.ts --base-url http://127.0.0.1:4321/v1 …   # whom to ask where the cassette has no answer
 *
 * It runs in the directory that the recording names, which must not exist. A run that ends otherwise than the recorded
 * one is not written: such a recording is to be made by hand.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { askAsRecorded } from "../src/app/recorded-answers.ts";
import { recordedCalls } from "../src/app/recorded-calls.ts";
import type { RunOptions } from "../src/app/run-options.ts";
import { openApp } from "../src/cli/task/open-app.ts";
import { prepareTask } from "../src/cli/task/prepare-task.ts";
import type { Terminal } from "../src/cli/terminal/terminal.ts";
import { ApprovalAnswer } from "../src/domain/approval.ts";
import { ToldMessage } from "../src/domain/plan/amendment.ts";
import { Settings } from "../src/domain/settings/settings.ts";
import { nameOf } from "../src/domain/task/step-path.ts";
import { TaskOutcome, TaskRequest } from "../src/domain/task/task.ts";
import { type Cassette, CassetteRecording, exportCassette, parseCassette } from "../src/journal/cassette.ts";
import { tellTask } from "../src/journal/messages.ts";
import { pack, unpack } from "../src/journal/pack.ts";
import { cassetteModel } from "../src/llm/cassette-model.ts";
import { openLedger } from "../src/llm/ledger.ts";
import { openModel } from "../src/llm/open-model.ts";
import { exportTree, importTree, PortableTree } from "../src/workspace/portable-tree.ts";
import { PackageIndex } from "../test/package-index.ts";
import { WEB_FRAMEWORK } from "../test/sample-packages.ts";

/** What of a recorded task's settings was the person's choice, by flags. Everything else is today's. */
const Chosen = Settings.pick({ accept: true, clarify: true, architect: true, review: true, audit: true })
  .partial()
  .extend({ limits: Settings.shape.limits.pick({ maxIterations: true, parallel: true }).partial() });

const ANSWER_MS = 500;

/** What was frozen, in whatever format. */
const Recorded = z.object({ request: TaskRequest, settings: Chosen });
/** A step that asked whether something is allowed. */
const Asked = z.object({ question: z.string() });
/** A step that took a message. */
const Heard = z.object({ message: ToldMessage });

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    template: { type: "string" },
    packages: { type: "string" },
    index: { type: "boolean", default: false },
    "base-url": { type: "string", default: "http://127.0.0.1:4321/v1" },
  },
});
/** Where the recorded person's own index stands. */
const INDEX_PORT = 3141;
await using index = values.index ? await PackageIndex.listenAt("/team", null, WEB_FRAMEWORK, INDEX_PORT) : null;
for (const file of positionals) await recordAgain(file);

async function recordAgain(file: string): Promise<void> {
  const before = parseCassette(readFileSync(file, "utf8"), file);
  const old = new CassetteRecording(before);
  const read = (hash: string) => unpack(hash, (blob) => old.blob(blob));
  const { request, settings: chosen } = Recorded.parse(await read(old.frozenHash));
  const { directory } = request;
  if (existsSync(directory)) throw new Error(`${directory} is there already`);
  const home = mkdtempSync(join(tmpdir(), "record-again-"));
  try {
    mkdirSync(directory);
    const terminal = terminalIn(directory, home);
    const { limits, ...flags } = chosen;
    const wanted = { ...flags, ...limits, baseUrl: values["base-url"], model: "local/bridge" };
    await using opened = await openApp(terminal, directory, wanted);
    const { app, config } = opened;
    const { steps } = await old.strand("task");
    const outputsOf = (name: string) =>
      Promise.all(steps.filter(({ path }) => path.startsWith(`task/${name}/`)).map((step) => read(step.outputHash)));
    const [survey] = await outputsOf("survey");
    const { tree: base } = z.object({ tree: z.string() }).parse(survey);
    const begun = old.trees[base];
    if (begun !== undefined) {
      importTree(app.artifacts, old.task, PortableTree.parse(begun));
      await app.artifacts.checkout(base, directory);
    }
    if (values.packages !== undefined) {
      cpSync(values.packages, join(directory, "node_modules"), { recursive: true, verbatimSymlinks: true });
    }
    const goal = request.words ?? request.goal;
    const template = values.template === undefined ? undefined : { name: values.template, set: [] };
    const prepared = await prepareTask(terminal, opened, { goal, directory, attachments: [], template }, wanted);
    const { settings } = prepared;
    const messages = (await outputsOf("amend")).map((heard) => Heard.parse(heard).message);
    const calls = await recordedCalls(old);
    let task = "";
    const changed: string[] = [];
    const asked: string[] = [];
    const recorded = cassetteModel({
      lookup: (path) => calls.get(path),
      hashOf: (question) => pack(question).hash,
      onDrift: ({ path }) => changed.push(path),
    });
    const end = await app.start(prepared.request, settings, prepared.prompts, {
      signal: new AbortController().signal,
      ...(await askAsRecorded(old, await allowAsRecorded(old))),
      onTask: (id) => {
        task = id;
        prepared.following.onTask?.(id);
      },
      model: {
        complete: async (question, call) => {
          // The person spoke while the coder was at work.
          if (question.role === "coder") {
            for (const message of messages.splice(0)) await tellTask(app.store, task, { ...message, at: Date.now() });
          }
          // A model takes its time: without it todos that run at once would not be seen to.
          await sleep(ANSWER_MS);
          if (calls.has(call.path)) return recorded.complete(question, call);
          asked.push(call.path);
          process.stdout.write(`${file}: ${call.path} is asked\n`);
          const clock = { now: Date.now, sleep: (ms: number) => sleep(ms) };
          const ledger = openLedger(app.store, { task, epoch: 1, limits: settings.limits, now: Date.now });
          const keys = (variable: string) => config.keys.get(variable);
          return openModel({ settings, ledger, keys, clock, random: Math.random, environment: {} }).complete(
            question,
            call,
          );
        },
      },
    });
    const [settled] = await outputsOf("settle");
    const { status } = TaskOutcome.parse(settled);
    if (end.ended !== "settled" || end.outcome.status !== status) {
      throw new Error(`${file}: was ${status}, and is now ${JSON.stringify(end).slice(0, 2000)}`);
    }
    const { base_tree } = await app.store.read
      .selectFrom("tasks")
      .select("base_tree")
      .where("id", "=", end.task)
      .executeTakeFirstOrThrow();
    const trees: Cassette["trees"] = {};
    for (const tree of [base_tree, prepared.request.startTree, end.outcome.tree]) {
      if (tree) trees[tree] = exportTree(app.artifacts, tree);
    }
    const cassette = await exportCassette(await app.recording(end.task), trees);
    writeFileSync(file, `${JSON.stringify(cassette)}\n`);
    const what = `${cassette.steps.length} steps (${before.steps.length} before)`;
    process.stdout.write(
      `${file}: ${status}, ${what}, ${changed.length} requests differ, ${asked.length} answers are new\n`,
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What the person allowed in the recording is allowed again: the same question has the same answer. */
async function allowAsRecorded(old: CassetteRecording): Promise<RunOptions["ask"]> {
  const answers = new Map<string, ApprovalAnswer>();
  for (const strand of await old.strands()) {
    for (const { path, inputHash, outputHash } of (await old.strand(strand)).steps) {
      if (nameOf(path) !== "approval") continue;
      const [asked, said] = [inputHash, outputHash].map((hash) => unpack(hash, (blob) => old.blob(blob)));
      answers.set(Asked.parse(await asked).question, ApprovalAnswer.parse(await said));
    }
  }
  return async ({ question }) => {
    const { granted = false, reason = "" } = answers.get(question) ?? {};
    return { granted, by: "a person", reason };
  };
}

/** Nobody is there, and nothing of this machine's own settings counts. */
function terminalIn(directory: string, home: string): Terminal {
  const { PATH } = process.env;
  const named = index ? { PIP_INDEX_URL: `http://127.0.0.1:${index.port}/team/simple/` } : {};
  const env = { PATH, HOME: home, MIRACLE_HOME: join(home, "data"), ...named };
  return { input: process.stdin, output: process.stdout, error: process.stderr, env, directory, home };
}
