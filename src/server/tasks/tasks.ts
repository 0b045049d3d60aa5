import { randomBytes } from "node:crypto";
import { applyTask, unappliedResult, undoTask } from "../../app/deliver-task.ts";
import { detectedTemplate } from "../../app/detect-type.ts";
import type { ForkWishes } from "../../app/fork-changes.ts";
import { makeFork } from "../../app/fork-task.ts";
import { resolveSettings } from "../../app/resolve-settings.ts";
import { newTaskId } from "../../app/task-id.ts";
import { findStep } from "../../app/task-steps.ts";
import { isWorkedOn } from "../../app/worked-on.ts";
import type { App } from "../../app.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import type { Configuration } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { readPrompts } from "../../config/prompts.ts";
import { fail } from "../../domain/failure.ts";
import type { Role } from "../../domain/message.ts";
import type { Event } from "../../domain/task/event.ts";
import type { TaskStatus, TaskSummary } from "../../domain/task/task.ts";
import { claimTask, pauseTask, thisProcess } from "../../journal/claim.ts";
import { tellTask } from "../../journal/messages.ts";
import { redactor } from "../../journal/redact.ts";
import type { Purpose } from "../../queue/job.ts";
import { findTask, listTasks, wish } from "../../store/tasks.ts";
import type { Directories } from "../work/directories.ts";
import type { JobWishes, Queue } from "../work/queue.ts";
import { RESULTS, type Repositories } from "../work/repositories.ts";
import type { Workplaces } from "../work/workplaces.ts";
import { type TaskView, viewTasks } from "./task-view.ts";

export interface TaskParts {
  /** For everything that is read, whatever directory it is of. */
  home: App;
  places: Workplaces;
  directories: Directories;
  repositories: Repositories;
  queue: Queue;
  /** True: whoever works on a task has not its directory, and gets it as a tree. */
  isForWorkers: boolean;
  /** The settings of a directory as they are now, with what a request says on top. */
  configure(directory: string, flags: ConfigFlags): Promise<Configuration>;
}

export interface NewTask {
  goal: string;
  /** By its name. */
  directory?: string | undefined;
  apply?: boolean | undefined;
  flags: ConfigFlags;
  /** Only this role is asked. */
  role?: Role;
  /** The task whose result it goes on from. */
  parent?: TaskSummary;
  /** How it waits for its turn. */
  wishes?: JobWishes;
}

/** What can be done with tasks from outside. Only those of this server's directories exist here. */
export class Tasks {
  readonly #parts: TaskParts;

  constructor(parts: TaskParts) {
    this.#parts = parts;
  }

  get store() {
    return this.#parts.home.store;
  }

  async create(wanted: NewTask, purpose: Purpose): Promise<TaskView> {
    const { directories, repositories, places, queue, configure } = this.#parts;
    const { parent } = wanted;
    const directory = parent?.directory ?? directories.pathOf(wanted.directory);
    const isClone = repositories.has(directory);
    if (isClone) await repositories.follow(directory);
    const { app } = await places.at(directory);
    const config = await configure(directory, wanted.flags);
    const resolved = resolveSettings(config);
    // Without a plan there is nothing to show, so the settings cannot leave it out there.
    const settings = purpose === "plan" ? { ...resolved, direct: false } : resolved;
    const shipped = readPrompts(packageRoot(), config.promptOverrides);
    const isOpen = !settings.direct && !wanted.role;
    const typed = isOpen ? await detectedTemplate(app, wanted.goal, directory, config, shipped) : null;
    const startTree = parent && (await unappliedResult(app, parent));
    const id = newTaskId();
    const request = {
      goal: wanted.goal,
      ...typed?.request,
      directory,
      attachments: [],
      apply: wanted.apply !== false,
      ...(isClone && { branch: `${RESULTS}${id}` }),
      ...(wanted.role && { role: wanted.role }),
      ...(parent && { parent: parent.id }),
      ...(startTree && { startTree }),
    };
    const make = async () => {
      const base = this.#parts.isForWorkers ? await app.takeBase(id, directory, request.startTree) : undefined;
      await app.create(id, { ...request, ...(base && { base }) }, settings, typed?.prompts ?? shipped);
      typed?.used?.handOver(id);
    };
    await queue.hand(id, purpose, make, wanted.wishes);
    return this.show(id);
  }

  /** A new task that goes on from the result of this one. */
  async continue(id: string, wanted: Omit<NewTask, "parent" | "directory">): Promise<TaskView> {
    return this.create({ ...wanted, parent: await this.find(id) }, "work");
  }

  async list(options: { limit: number; before?: string; status?: TaskStatus; directory?: string; search?: string }) {
    const { limit, before, status, directory, search } = options;
    const { directories } = this.#parts;
    const page = await listTasks(this.store, {
      limit,
      directories: directory === undefined ? directories.paths : [directories.pathOf(directory)],
      ...(status && { status }),
      ...(search && { search }),
      ...(before !== undefined && { before: await this.find(before) }),
    });
    return { tasks: await this.#view(page.tasks), next: page.next?.id ?? null };
  }

  async show(id: string): Promise<TaskView> {
    const [view] = await this.#view([await this.find(id)]);
    if (!view) throw unknown(id);
    return view;
  }

  /** The task of exactly this id. */
  async find(id: string): Promise<TaskSummary> {
    const task = await findTask(this.store, id);
    if (task.id !== id || this.#parts.directories.nameOf(task.directory) === undefined) throw unknown(id);
    return task;
  }

  /** Goes on with a task that is paused, waits or was interrupted. */
  async resume(id: string, purpose: Purpose = "work"): Promise<TaskView> {
    const task = await this.find(id);
    if (task.status !== "running" && task.status !== "paused") throw over(task);
    if ((await this.#parts.queue.isPromised(id)) || (await isWorkedOn(this.store, id))) {
      throw live(id);
    }
    await this.#parts.queue.hand(id, purpose);
    return this.show(id);
  }

  /** What runs pauses at its next step; what waits for its turn pauses at once. */
  async pause(id: string): Promise<TaskView> {
    const task = await this.find(id);
    const wasPromised = await this.#parts.queue.isPromised(id);
    await this.#parts.queue.withdraw(id);
    if ((await isWorkedOn(this.store, id)) && (await wish(this.store, id, "pause"))) return this.show(id);
    if (task.status !== "running" || !wasPromised) {
      throw fail("invalid-input", "task.idle", `nobody works on task ${id}: it is ${task.status}`);
    }
    const claim = await claimTask(this.store, id, thisProcess(), { purpose: "work" });
    await pauseTask(this.store, claim, { status: "paused", reason: "paused", at: Date.now() });
    return this.show(id);
  }

  async cancel(id: string): Promise<TaskView> {
    const task = await this.find(id);
    if (task.status !== "running" && task.status !== "paused" && task.status !== "cancelled") throw over(task);
    await this.#parts.queue.withdraw(id);
    if ((await isWorkedOn(this.store, id)) && (await wish(this.store, id, "cancel"))) return this.show(id);
    const { app } = await this.#parts.places.at(task.directory);
    await app.cancel(id, task.status);
    return this.show(id);
  }

  /** The message is durable when this returns; a task that is idle hears it when it goes on. */
  async tell(id: string, text: string, by: string): Promise<Event> {
    const task = await this.find(id);
    const { app, config } = await this.#parts.places.at(task.directory);
    const clean = String(redactor(config.secrets)(text));
    const message = { id: `m${randomBytes(5).toString("hex")}`, text: clean, by, at: Date.now() };
    const event = await tellTask(app.store, id, message);
    app.bus.publish(event);
    return event;
  }

  /** A new task that shares the past of this one up to a step, and goes on differently. */
  async fork(id: string, at: number, wishes: ForkWishes): Promise<TaskView> {
    const parent = await this.find(id);
    const { app, config } = await this.#parts.places.at(parent.directory);
    const step = await findStep(await app.recording(id), String(at));
    if (!step) throw fail("invalid-input", "step.unknown", `task ${id} has no step ${at}`);
    const task = newTaskId();
    const make = async () => void (await makeFork(app, config, { parent: id, at: step, wishes, task }));
    await this.#parts.queue.hand(task, "work", make);
    return this.show(task);
  }

  /** Writes the result of a finished task into its directory. */
  async apply(id: string, unproven: boolean, signal: AbortSignal): Promise<TaskView> {
    const { app, task } = await this.#idle(id);
    await applyTask(app, task, { unproven }, signal);
    return this.show(id);
  }

  /** Takes the last delivery of a task back. `force`: also over files that were changed since. */
  async undo(id: string, force: boolean, signal: AbortSignal): Promise<TaskView> {
    const { app, task } = await this.#idle(id);
    await undoTask(app, task, force, signal);
    return this.show(id);
  }

  /** A claim does not keep out the same process, so it is looked here whether the task is in a run. */
  async #idle(id: string): Promise<{ app: App; task: TaskSummary }> {
    const task = await this.find(id);
    if (await isWorkedOn(this.store, id)) throw live(id);
    const { app } = await this.#parts.places.at(task.directory);
    return { app, task };
  }

  #view(tasks: TaskSummary[]): Promise<TaskView[]> {
    return viewTasks(this.store, tasks, (path) => this.#parts.directories.nameOf(path));
  }
}

const unknown = (id: string) => fail("invalid-input", "task.unknown", `there is no task ${id}`);

const live = (id: string) => fail("invalid-input", "task.live", `task ${id} is being worked on, or will be`);

const over = ({ id, status }: TaskSummary) => fail("invalid-input", "task.settled", `task ${id} is over: ${status}`);
