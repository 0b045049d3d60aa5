import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { App } from "../../app.ts";
import { packageRoot } from "../../config/package-root.ts";
import { fail } from "../../domain/failure.ts";
import { CassetteRecording } from "../../journal/cassette.ts";
import type { Recording } from "../../journal/recording.ts";
import type { TrainingFormat } from "../../memory/training/examples.ts";
import { type TrainingFilters, trainingOf, type WorkTrees } from "../../memory/training/export-training.ts";
import { allowedSet, namesLicence, PERMISSIVE } from "../../memory/training/licence.ts";
import { readWork } from "../../memory/training/recorded-work.ts";
import { loadScanRules } from "../../safety/scan/scan-rules.ts";
import { listTasks } from "../../store/tasks.ts";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { importTree, PortableTree } from "../../workspace/portable-tree.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { count } from "../text/amounts.ts";
import { printable } from "../text/printable.ts";
import { cannotWrite } from "./cannot-write.ts";
import { openApp } from "./open-app.ts";
import { openRecording } from "./open-recording.ts";

interface TrainingFlags {
  format: TrainingFormat;
  last?: boolean;
  all?: boolean;
  output?: string;
  force?: boolean;
  licences?: string;
}

/** Writes examples line by line: one task is in memory at a time, however many there are. */
export async function exportTraining(terminal: Terminal, source: string | undefined, flags: TrainingFlags) {
  if (flags.all && (source !== undefined || flags.last))
    throw fail("invalid-input", "cli.conflict", "give a task, --last or --all, only one of them");
  await using opened = await openApp(terminal, terminal.directory);
  const { secrets: secretRules } = await loadScanRules(packageRoot());
  const licences = allowedSet(flags.licences?.split(",") ?? PERMISSIVE);
  const filters = { licences, secretRules, secrets: opened.config.secrets, seen: new Set<string>() };
  using out = openOutput(terminal, flags);
  const leftOut = new Map<string, number>();
  let written = 0;
  for await (const { recording, trees } of sources(opened.app, source, flags, terminal.directory)) {
    for await (const found of examplesOf(recording, trees, flags.format, filters)) {
      if ("leftOut" in found) leftOut.set(found.leftOut, (leftOut.get(found.leftOut) ?? 0) + 1);
      else {
        out.write(`${JSON.stringify(found.example)}\n`);
        written += 1;
      }
    }
  }
  for (const [reason, times] of [...leftOut].sort())
    terminal.error.write(`left out ${count(times, "time")}: ${printable(reason)}\n`);
  terminal.error.write(`${flags.output ?? "stdout"}: ${count(written, "example")}\n`);
}

async function* examplesOf(recording: Recording, trees: WorkTrees, format: TrainingFormat, filters: TrainingFilters) {
  const work = await readWork(recording);
  if (work === null) yield { leftOut: "the task has not ended" };
  else yield* trainingOf(work, format, trees, filters);
}

interface Source {
  recording: Recording;
  trees: WorkTrees;
}

async function* sources(
  app: App,
  source: string | undefined,
  flags: TrainingFlags,
  directory: string,
): AsyncGenerator<Source> {
  const trees = treesIn(app.artifacts);
  if (flags.all) {
    for (const id of await allTasks(app)) yield { recording: await app.recording(id), trees };
    return;
  }
  const recording = await openRecording(app, source, flags, directory);
  if (recording instanceof CassetteRecording) {
    using place = new ScratchTrees(recording);
    yield { recording, trees: treesIn(place.store) };
  } else yield { recording, trees };
}

async function allTasks(app: App): Promise<string[]> {
  const ids: string[] = [];
  let page = await listTasks(app.store, { limit: 500 });
  for (;;) {
    ids.push(...page.tasks.map(({ id }) => id));
    if (page.next === undefined) return ids.reverse();
    page = await listTasks(app.store, { limit: 500, before: page.next });
  }
}

function treesIn(store: ArtifactStore): WorkTrees {
  return {
    licenceFiles(tree) {
      const entries = store.has(tree) ? [...store.tree(tree).entries.values()] : [];
      if (entries.length === 0) return null;
      return entries
        .filter(({ path, kind }) => kind === "file" && namesLicence(path))
        .map(({ path, id }) => ({ path, content: store.readBlob(id).toString("utf8") }));
    },
    diff: async (from, to) => (store.has(from) && store.has(to) ? store.diff(from, to) : null),
  };
}

/** The trees of a cassette, in a store of their own for as long as they are looked at. */
class ScratchTrees implements Disposable {
  readonly store: ArtifactStore;
  readonly #directory = mkdtempSync(join(tmpdir(), "miracle-export-"));

  constructor({ task, trees }: CassetteRecording) {
    this.store = ArtifactStore.open(this.#directory);
    for (const tree of Object.values(trees)) {
      const parsed = PortableTree.safeParse(tree);
      if (parsed.success) importTree(this.store, task, parsed.data);
    }
  }

  [Symbol.dispose](): void {
    this.store.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function openOutput({ output, directory }: Terminal, flags: TrainingFlags) {
  if (flags.output === undefined) return { write: (line: string) => void output.write(line), [Symbol.dispose]() {} };
  try {
    const file = openSync(resolve(directory, flags.output), flags.force ? "w" : "wx", 0o600);
    return { write: (line: string) => void writeSync(file, line), [Symbol.dispose]: () => closeSync(file) };
  } catch (cause) {
    throw cannotWrite(flags.output, "export.unwritable", cause);
  }
}
