import { mkdirSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { OpenedApp } from "../../app.ts";
import { fail } from "../../domain/failure.ts";
import { isTaskStep, TASK_STRAND } from "../../domain/task/step-path.ts";
import { CassetteRecording } from "../../journal/cassette.ts";
import { readFrozen } from "../../journal/journal.ts";
import type { Recording } from "../../journal/recording.ts";
import type { Drift } from "../../llm/cassette-model.ts";
import { directoryLeftOut } from "../../workspace/left-out.ts";
import { importTree, PortableTree } from "../../workspace/portable-tree.ts";
import { type ViewFlags, viewMode } from "../input/options.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { ExitCode } from "../text/exit-codes.ts";
import { followRun } from "./follow-run.ts";

interface LiveReplay {
  terminal: Terminal;
  opened: OpenedApp;
  recording: Recording;
  flags: ViewFlags & { dir?: string };
  /** Whether it is told that requests differ from the recorded ones. */
  drift: "told" | "hidden";
}

/** Runs a recorded task again in an empty directory, for real but for the model, whose recorded answers are used. */
export async function replayLive({ terminal, opened, recording, flags, drift }: LiveReplay): Promise<ExitCode> {
  const directory = emptyDirectory(terminal.directory, flags.dir);
  await layOut(opened, recording, directory);
  const { settings, request } = await readFrozen(recording);
  const drifted: string[] = [];
  const notes = [`goal: ${request.goal}`, "the model's answers are recorded; tests and commands really run"];
  // The answers are a file's, so it may have its plan and its result, and nothing else without asking.
  const approve = { subjects: ["plan", "diff"] as const, words: "replay --live", wait: false, findings: false };
  using followed = await followRun({
    terminal,
    opened,
    mode: viewMode(flags),
    approve,
    notify: null,
    notes,
    maxIterations: settings.limits.maxIterations,
  });
  const { sandbox, safety } = opened.config.settings;
  const local = { sandbox, ...(safety && { safety }) };
  const options = { ...followed.options, onDrift: ({ path }: Drift) => drifted.push(path) };
  const exit = await followed.showEnd(await opened.app.reenact(recording, directory, local, options));
  if (drifted.length > 0 && drift === "told") {
    terminal.error.write(
      `drift: ${drifted.length} requests differ from the recorded ones, the first at ${drifted[0]}\n`,
    );
  }
  return exit;
}

function emptyDirectory(called: string, dir: string | undefined): string {
  if (dir === undefined)
    throw fail("invalid-input", "replay.directory", "--live works for an empty directory: give one with --dir");
  const directory = resolve(called, dir);
  mkdirSync(directory, { recursive: true });
  // Packages are no part of a recording: who has put them there gets the same tools and checks.
  if (readdirSync(directory).every((name) => directoryLeftOut(name) === "dependencies")) return directory;
  throw fail("invalid-input", "replay.directory", `--dir ${dir} is not empty: choose another one`);
}

/** Puts the tree that the recorded task began with into the directory. */
async function layOut({ app }: OpenedApp, recording: Recording, directory: string): Promise<void> {
  const base = await baseTree(recording);
  if (base === undefined) return;
  const contents = recording instanceof CassetteRecording ? recording.trees[base] : undefined;
  if (contents !== undefined) importTree(app.artifacts, recording.task, PortableTree.parse(contents));
  if (app.artifacts.has(base)) await app.artifacts.checkout(base, directory);
}

/** What the survey, a task's first step, found. */
async function baseTree(recording: Recording): Promise<string | undefined> {
  const [first] = (await recording.strand(TASK_STRAND)).steps;
  if (!first || !isTaskStep(first.path, "survey")) return undefined;
  const { Survey } = await import("../../engine/planning/survey.ts");
  const { unpack } = await import("../../journal/pack.ts");
  return Survey.parse(await unpack(first.outputHash, (hash) => recording.blob(hash))).tree;
}
