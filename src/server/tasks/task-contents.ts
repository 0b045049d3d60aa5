import { cassetteOfTask } from "../../app/cassette-of-task.ts";
import { readStep, stepPage } from "../../app/task-steps.ts";
import type { App } from "../../app.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { fail } from "../../domain/failure.ts";
import { type PlanState, planState } from "../../domain/task/plan-state.ts";
import type { Cassette } from "../../journal/cassette.ts";
import { readFrozen } from "../../journal/journal.ts";
import { redactor } from "../../journal/redact.ts";
import { newestEvent, planEvents } from "../../store/events.ts";
import { readTaskUsage } from "../../store/metrics.ts";
import type { Workplaces } from "../work/workplaces.ts";
import { type StepDetail, type StepView, viewDetail, viewStep } from "./step-view.ts";
import type { Tasks } from "./tasks.ts";

export interface ContentParts {
  /** For everything that is read, whatever directory it is of. */
  home: App;
  places: Workplaces;
  tasks: Tasks;
}

/** A longer list of files is cut off, and says so. */
const MOST_FILES = 10_000;

/** What a task has made so far, for reading. Nothing of it holds a secret of the task's directory. */
export class TaskContents {
  readonly #parts: ContentParts;

  constructor(parts: ContentParts) {
    this.#parts = parts;
  }

  /** The plan as it is now; null before there is one. */
  async plan(id: string): Promise<PlanState | null> {
    const { tasks } = this.#parts;
    const { status } = await tasks.find(id);
    return planState((await planEvents(tasks.store, [id])).get(id) ?? [], status);
  }

  /** In the order of recording. `next` is the `after` of the page behind; null: there is none yet. */
  async steps(id: string, after: number, limit: number): Promise<{ steps: StepView[]; next: number | null }> {
    const { tasks } = this.#parts;
    await tasks.find(id);
    const steps = (await stepPage(tasks.store, id, after, limit)).map(viewStep);
    return { steps, next: steps.length < limit ? null : (steps.at(-1)?.number ?? null) };
  }

  async step(id: string, number: number): Promise<StepDetail> {
    const { tasks, home } = this.#parts;
    await tasks.find(id);
    const step = await readStep(await home.recording(id), String(number));
    if (!step) throw fail("invalid-input", "step.unknown", `task ${id} has no step ${number}`);
    const [listed] = await stepPage(tasks.store, id, number - 1, 1);
    return viewDetail(step, listed);
  }

  /** What its model calls took, and what they may take. */
  async usage(id: string) {
    const { tasks, home } = this.#parts;
    const { costMicros, tokens } = await tasks.find(id);
    const { settings } = await readFrozen(await home.recording(id));
    const { maxCostMicros, maxTokens, maxIterations, timeoutMs } = settings.limits;
    const by = async (group: "role" | "model" | "phase") =>
      [...(await readTaskUsage(tasks.store, id, group))].map(([key, sums]) => ({ key, ...sums }));
    return {
      costMicros,
      tokens,
      limits: { maxCostMicros, maxTokens, maxIterations, timeoutMs },
      roles: await by("role"),
      models: await by("model"),
      phases: await by("phase"),
    };
  }

  /** The change as `git apply` reads it. */
  async diff(id: string): Promise<string> {
    const { base, result, clean } = await this.#trees(id);
    return clean(await this.#parts.home.artifacts.diff(base, result));
  }

  /** The files of the result, and those that it deleted. */
  async files(id: string) {
    const { base, result } = await this.#trees(id);
    const { artifacts } = this.#parts.home;
    const changes = artifacts.changes(base, result);
    const changed = new Map(changes.map(({ path, change }) => [path, change]));
    const gone = changes.filter(({ change }) => change === "deleted").map(({ path }) => path);
    const paths = [...artifacts.list(result).map(({ path }) => path), ...gone].sort();
    return {
      files: paths.slice(0, MOST_FILES).map((path) => ({ path, change: changed.get(path) ?? null })),
      truncated: paths.length > MOST_FILES,
    };
  }

  /** One file as text, of the result or of what it began with. */
  async file(id: string, path: string, side: "before" | "after"): Promise<string> {
    const { base, result, clean } = await this.#trees(id);
    const content = this.#parts.home.artifacts.readFile(side === "after" ? result : base, path);
    if (!content) throw fail("invalid-input", "file.unknown", `task ${id} has no such file`);
    return clean(content.toString("utf8"));
  }

  async evidence(id: string): Promise<EvidenceDocument> {
    const { tasks, home } = this.#parts;
    const { baseTree, resultTree } = await tasks.find(id);
    const artifacts = await home.treesOf(id, [baseTree, resultTree]);
    const { documentOfTask } = await import("../../verify/evidence/document-of-task.ts");
    const { document } = await documentOfTask({ recording: await home.recording(id), artifacts });
    return document;
  }

  /** Everything to replay it elsewhere. A tree in which a secret stands is left out. */
  async cassette(id: string): Promise<Cassette> {
    const { tasks, home, places } = this.#parts;
    const task = await tasks.find(id);
    const { config } = await places.at(task.directory);
    await home.treesOf(id, [task.baseTree, task.resultTree]);
    return (await cassetteOfTask(home, task, config.secrets)).cassette;
  }

  /** Of a task that has no result yet: what a coder left behind last. */
  async #trees(id: string): Promise<{ base: string; result: string; clean: (text: string) => string }> {
    const { tasks, places, home } = this.#parts;
    const task = await tasks.find(id);
    const { baseTree } = task;
    const resultTree = task.resultTree ?? (await newestEvent(tasks.store, id, "iteration-settled"))?.iteration.tree;
    if (baseTree === null || resultTree === undefined) {
      throw fail("invalid-input", "task.no-result", `task ${id} has no result yet`);
    }
    const { config } = await places.at(task.directory);
    await home.treesOf(id, [baseTree, resultTree]);
    const redact = redactor(config.secrets);
    return { base: baseTree, result: resultTree, clean: (text) => String(redact(text)) };
  }
}
