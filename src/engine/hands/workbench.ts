import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { z } from "zod";
import type { ToolUse } from "../../agents/converse.ts";
import { firstOf } from "../../agents/tools/clip.ts";
import type { ToolContext } from "../../agents/tools/tool.ts";
import { Asked } from "../../domain/approval.ts";
import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import { fail } from "../../domain/failure.ts";
import { plainJson } from "../../domain/json.ts";
import type { Role } from "../../domain/message.ts";
import type { EventBody } from "../../domain/task/event.ts";
import type { Language } from "../../languages/language.ts";
import { normaliseOutput } from "../../languages/normalise.ts";
import { runTests } from "../../languages/run-tests.ts";
import { suiteLimits } from "../../languages/suite-limits.ts";
import type { HookCall } from "../../safety/hooks/hooks.ts";
import { WORKSPACE } from "../../sandbox/sandbox.ts";
import { ScopedFiles } from "../../workspace/scoped-files.ts";
import { addDependency } from "./add-dependency.ts";
import { untilAnswered } from "./approve.ts";
import { askHooks } from "./ask-hooks.ts";
import type { Checkout } from "./checkout.ts";
import { commandNetwork } from "./command-network.ts";
import { commandTools } from "./command-tools.ts";
import { type FinishLine, FinishWatch } from "./finish-line.ts";
import { readable, scopesOf, strayed, type Who, whoIs } from "./role-scopes.ts";
import type { Bench, Run } from "./run.ts";
import { testsRun } from "./run-tests.ts";

const ToolUsed = z.object({
  content: z.string(),
  ok: z.boolean(),
  tree: z.string(),
  /** The tool did nothing: it needs an approval first. */
  asks: Asked.optional(),
  /** Locked files that the tool changed. They were put back. */
  tampered: z.array(z.string()).optional(),
  /** FinishLine that it showed to be met. */
  met: z.array(z.string()).optional(),
});

export interface LockedFile {
  path: string;
  content: string;
}

export interface BenchOptions {
  /** The name of the checkout. */
  name: "read" | "code" | "debug";
  tree: string;
  language: Language | null;
  /** Files that the role may not change: the given tests. */
  locked?: LockedFile[];
  /** The suite before the change, if it was run. */
  baseline?: TestReport | null;
  /** What ends the role's work once it is met. */
  finish?: FinishLine | undefined;
}

/** For a role that only reads. */
export const readingBench = (run: Run, language: Language | null, tree: string): Workbench =>
  new Workbench(run, { name: "read", language, tree });

/**
 * The tools of one role on one tree. Each use of a tool is a step that names the tree before and the tree after, so it
 * can run again from exactly where it began.
 */
export class Workbench implements Bench {
  readonly #run: Run;
  readonly #language: Language | null;
  readonly #locked: LockedFile[];
  readonly #name: string;
  readonly #baseline: TestReport | null;
  readonly #tampering: string[] = [];
  readonly #finish: FinishWatch | undefined;
  #tree: string;

  constructor(run: Run, { name, tree, language, locked = [], baseline = null, finish }: BenchOptions) {
    this.#finish = finish && new FinishWatch(finish, tree);
    this.#run = run;
    this.#baseline = baseline;
    this.#language = language;
    this.#locked = locked;
    this.#tree = tree;
    this.#name = name;
  }

  /** The tree after the last step. */
  get tree(): string {
    return this.#tree;
  }

  /** Locked files that the role changed, in order. */
  get tampering(): string[] {
    return this.#tampering;
  }

  /** Whether the files were changed and all of the finish line was seen to hold since. */
  get isDone(): boolean {
    return this.#finish?.isReached ?? false;
  }

  get #checkout(): Checkout {
    return this.#run.parts.checkouts.named(this.#name);
  }

  /** Returns the text for the model. */
  async use(name: string, role: Role, call: ToolUse): Promise<string> {
    const end = await untilAnswered(this.#run, name, () => this.#step(name, role, call));
    if ("denied" in end) return end.denied;
    this.#tree = end.done.tree;
    this.#tampering.push(...(end.done.tampered ?? []));
    this.#finish?.saw(end.done.tree, end.done.met ?? []);
    return end.done.content;
  }

  #step(name: string, role: Role, call: ToolUse): Promise<z.infer<typeof ToolUsed>> {
    const { tool, subject, arguments: args, prepared } = call;
    return this.#run.step(
      {
        kind: "tool",
        name: `${name}/${tool.name}`,
        input: { tool: tool.name, arguments: args, tree: this.#tree },
        output: ToolUsed,
        // The tool changed nothing outside of the checkout, so after a power cut it can run again from the tree it
        // names. The next model call makes this step durable before anything leaves this machine.
        durable: false,
      },
      async ({ emit }) => {
        const start = performance.now();
        const who = { ...whoIs(role, this.#run), files: this.#run.parts.todoFiles };
        const hidden = this.#hidden(who);
        const held = this.#without(hidden);
        await this.#checkout.hold(held);
        if (tool.writes) this.#checkout.expectWrites();
        const met: string[] = [];
        const attempted = await askHooks(this.#run.parts, this.#hookCall(call, role), () =>
          prepared.run(this.#context(emit, who, held, met)),
        );
        if ("asks" in attempted) {
          const asks = { ...attempted.asks, ...(who.todo !== undefined && { todo: who.todo }) };
          return { content: "", ok: false, tree: this.#tree, asks };
        }
        const { content, ok, refusal } = attempted;
        const { tree, undone, tampered } = tool.writes
          ? await this.#settle(who, hidden)
          : { tree: this.#tree, undone: [], tampered: [] };
        if (refusal) emit(refusal);
        const { base } = this.#run.parts.warden;
        if (tree !== this.#tree && base !== undefined) {
          const given = this.#locked.map(({ path }) => path);
          this.#run.parts.onTree({ todo: who.todo, base, before: this.#tree, tree, given });
        }
        emit({
          type: "tool-called",
          tool: tool.name,
          subject: subject.slice(0, 200),
          ok,
          durationMs: performance.now() - start,
        });
        for (const { code, message } of undone) emit({ type: "warning-raised", code, message });
        return {
          // In the midst of a tool's output a note of ours stands in brackets.
          content: content + undone.map(({ message }) => `\n(${message})`).join(""),
          ok,
          tree,
          ...(tampered.length > 0 ? { tampered } : met.length > 0 && { met }),
        };
      },
    );
  }

  #hookCall({ tool, arguments: args }: ToolUse, role: Role): HookCall {
    const { task, frozen } = this.#run.parts.journal;
    return { tool: tool.name, arguments: plainJson(args), role, task, directory: frozen.request.directory };
  }

  /**
   * Paths that this role may not read. They are taken out of the checkout while the role works, so no command sees
   * them.
   */
  #hidden(who: Who): string[] {
    const { settings } = this.#run;
    if (scopesOf(settings, who).every(({ read }) => read.length === 0)) return [];
    const all = this.#run.parts.artifacts.list(this.#tree);
    const shown = new Set(readable(settings, who, all));
    return all.filter((entry) => !shown.has(entry)).map(({ path }) => path);
  }

  #without(hidden: string[]): string {
    const { artifacts, journal } = this.#run.parts;
    return hidden.length === 0 ? this.#tree : artifacts.withoutPaths(journal.task, this.#tree, hidden);
  }

  /** Undoes what a command did to locked files and to files outside of the write scopes. */
  async #settle(
    who: Who,
    hidden: string[],
  ): Promise<{ tree: string; undone: { code: string; message: string }[]; tampered: string[] }> {
    const { artifacts, journal } = this.#run.parts;
    const seen = await this.#checkout.snapshot();
    const tree = hidden.length === 0 ? seen : artifacts.restore(journal.task, seen, this.#tree, hidden);
    if (tree === this.#tree) return { tree, undone: [], tampered: [] };
    const locked = new Set(this.#locked.map((file) => file.path));
    const changed = artifacts.changes(this.#tree, tree).map((change) => change.path);
    const touched = changed.filter((path) => locked.has(path));
    const others = changed.filter((path) => !locked.has(path));
    const outside = strayed(this.#run.settings, who, others);
    if (touched.length === 0 && outside.length === 0) return { tree, undone: [], tampered: [] };
    const inScope = outside.length === 0 ? tree : artifacts.restore(journal.task, tree, this.#tree, outside);
    const restored = touched.length === 0 ? inScope : artifacts.overlay(journal.task, inScope, this.#locked);
    const undone = (code: string, paths: string[], why: string) =>
      paths.length === 0 ? [] : [{ code, message: `the change to ${firstOf(paths, 20)} was undone: ${why}` }];
    return {
      tree: restored,
      tampered: touched,
      undone: [
        ...undone("tests.tampered", touched, "these tests are given"),
        ...undone("scope.strayed", outside, "outside the write scope"),
      ],
    };
  }

  #reading(files: ScopedFiles, path: string): ReturnType<ToolContext["reading"]> {
    const { outside, warden } = this.#run.parts;
    const place = isOfWorkspace(path) ? null : outside?.(path);
    if (!place) return { files, path };
    warden.checkOutside(place);
    return place.isDirectory
      ? { files: new ScopedFiles(place.path), path: "." }
      : { files: new ScopedFiles(dirname(place.path)), path: basename(place.path) };
  }

  /** `held` is the tree in the checkout. */
  #context(emit: (event: EventBody) => void, who: Who, held: string, met: string[]): ToolContext {
    const { settings, request } = this.#run;
    const { limits } = settings.sandbox;
    const { sandbox, signal, warden } = this.#run.parts;
    const given = this.#locked.map((file) => file.path);
    const workspace = this.#checkout.directory;
    const { languages } = this.#run.parts;
    const files = new ScopedFiles(workspace, {
      scopes: scopesOf(settings, who),
      locked: given,
      owner: this.#run.parts.checkoutOwner,
    });
    return {
      files,
      reading: (path) => this.#reading(files, path),
      runCommand: async (line, timeoutMs) => {
        checkArguments([line]);
        const { hosts, registries, env: wanted } = await warden.judgeCommand(line);
        await warden.checkCode(this.#tree, given);
        const way = commandNetwork([...settings.safety.network, ...hosts], emit, registries);
        const tree = Object.keys(registries).length > 0 ? undefined : this.#tree;
        const { mounts, path, env, versions } = await commandTools(this.#run, this.#language, tree);
        const beside = warden.outside.filter((file) => existsSync(file)).map((file) => ({ from: file, to: file }));
        const allowed = { ...limits, timeoutMs: Math.min(timeoutMs ?? limits.timeoutMs, limits.timeoutMs) };
        const result = await sandbox.run(
          {
            argv: ["bash", "-c", line],
            workspace,
            mounts: [...mounts, ...beside],
            path,
            env: { ...env, ...wanted },
            ...way,
          },
          allowed,
          signal,
        );
        met.push(...(this.#finish?.metBy(line, result) ?? []));
        const normalise = (text: string) => normaliseOutput(text, { workspace });
        const stderr = withMissing(normalise(result.stderr), versions);
        return { ...result, stdout: normalise(result.stdout), stderr };
      },
      runTests: async (files, goOn) => {
        checkArguments(files);
        await warden.checkCode(this.#tree, given);
        const language = this.#language ?? languages.named("python");
        const toolchain = await languages.toolchain(this.#language, request.directory, this.#tree);
        const report = await runTests({
          language,
          sandbox,
          limits: suiteLimits(limits, this.#baseline),
          workspace,
          toolchain,
          files,
          signal,
        });
        emit(testsRun("visible", report));
        if (!goOn) met.push(...(this.#finish?.shownBy(report) ?? []));
        const tests = report.tests.map((test) =>
          isRed(test) ? { ...test, message: withMissing(test.message, toolchain.versions) } : test,
        );
        return { ...report, tests };
      },
      addDependency: (name, version, why) => {
        const desk = { language: this.#language, tree: this.#tree, held, checkout: this.#checkout, files };
        return addDependency(this.#run, desk, { name, version, why });
      },
    };
  }
}

/** Who reads that a module is not found must know why it was not installed. */
const withMissing = (text: string, { missing }: Record<string, string>): string =>
  missing === undefined ? text : `${text}\n(${missing})`;

/** Commands see the workspace under this name, and models use it. */
const isOfWorkspace = (path: string): boolean => `${path.trim()}/`.startsWith(`${WORKSPACE}/`);

const LONGEST_ARGUMENT = 100_000;

/** The system accepts no argument with a NUL or beyond a length. The check is here so that the model can correct it. */
function checkArguments(words: string[]): void {
  if (words.some((word) => word.includes("\0"))) {
    throw fail("invalid-input", "command.unusable", "a command cannot hold a NUL character");
  }
  if (words.reduce((sum, word) => sum + Buffer.byteLength(word), 0) > LONGEST_ARGUMENT) {
    const message = `a command has at most ${LONGEST_ARGUMENT} bytes; write longer text into a file`;
    throw fail("invalid-input", "command.unusable", message);
  }
}
