import { z } from "zod";
import type { ToolUse } from "../agents/converse.ts";
import type { ToolContext } from "../agents/tools/tool.ts";
import type { EventBody } from "../domain/event.ts";
import { fail, isOutside, TerminalFailure } from "../domain/failure.ts";
import type { Strand } from "../journal/strand.ts";
import type { Language } from "../languages/language.ts";
import { normaliseOutput } from "../languages/normalise.ts";
import { runTests } from "../languages/run-tests.ts";
import { ScopedFiles } from "../workspace/scoped-files.ts";
import type { Checkout } from "./checkout.ts";
import { commandTools } from "./command-tools.ts";
import type { EngineParts } from "./parts.ts";
import { testsRun } from "./run-gate.ts";

const ToolOutcome = z.object({ content: z.string(), ok: z.boolean(), tree: z.string() });

export interface LockedFile {
  path: string;
  content: string;
}

/**
 * The hands of one role on one tree. Each use of a tool is a step that names the tree before and the tree after, so it
 * can be run again from exactly where it began.
 */
export class Workbench {
  readonly #parts: EngineParts;
  readonly #language: Language | null;
  readonly #locked: LockedFile[];
  readonly #name: string;
  #tree: string;

  constructor(parts: EngineParts, name: string, language: Language | null, tree: string, locked: LockedFile[]) {
    this.#parts = parts;
    this.#language = language;
    this.#locked = locked;
    this.#tree = tree;
    this.#name = name;
  }

  /** The tree as the last step left it. */
  get tree(): string {
    return this.#tree;
  }

  get #checkout(): Checkout {
    return this.#parts.checkouts.named(this.#name);
  }

  async use(strand: Strand, name: string, { tool, subject, arguments: args, prepared }: ToolUse): Promise<string> {
    const outcome = await strand.step(
      {
        kind: "tool",
        name: `${name}/${tool.name}`,
        input: { tool: tool.name, arguments: args, tree: this.#tree },
        output: ToolOutcome,
        // It changed nothing outside of the checkout, and after a power cut it can be run again from the tree it names.
        // The next model call makes it durable before anything leaves this machine.
        durable: false,
      },
      async ({ emit }) => {
        const start = performance.now();
        await this.#checkout.hold(this.#tree);
        if (tool.writes) this.#checkout.expectWrites();
        const { content, ok } = await attempt(() => prepared.run(this.#context(emit)));
        const { tree, note } = tool.writes ? await this.#settle() : { tree: this.#tree, note: "" };
        emit({
          type: "tool-called",
          tool: tool.name,
          subject: subject.slice(0, 200),
          ok,
          durationMs: performance.now() - start,
        });
        if (note !== "") emit({ type: "warning-raised", code: "tests.tampered", message: note });
        return { content: content + note, ok, tree };
      },
    );
    this.#tree = outcome.tree;
    return outcome.content;
  }

  /** Whatever a command did, the locked files are what they were. */
  async #settle(): Promise<{ tree: string; note: string }> {
    const { artifacts, journal } = this.#parts;
    const tree = await this.#checkout.snapshot();
    if (tree === this.#tree || this.#locked.length === 0) return { tree, note: "" };
    const locked = new Set(this.#locked.map((file) => file.path));
    const touched = artifacts.changes(this.#tree, tree).filter((change) => locked.has(change.path));
    if (touched.length === 0) return { tree, note: "" };
    const restored = artifacts.overlay(journal.task, tree, this.#locked);
    await this.#checkout.hold(restored);
    const names = touched.map((change) => change.path).join(", ");
    return { tree: restored, note: `\n(the change to ${names} was undone: these tests are given)` };
  }

  #context(emit: (event: EventBody) => void): ToolContext {
    const { settings, request } = this.#parts.journal.frozen;
    const { limits } = settings.sandbox;
    const { sandbox, signal } = this.#parts;
    const workspace = this.#checkout.directory;
    const toolchain = () => this.#parts.languages.toolchain(this.#language, request.directory);
    return {
      files: new ScopedFiles(workspace, {
        writeScope: settings.writeScope,
        locked: this.#locked.map((file) => file.path),
        owner: this.#parts.checkoutOwner,
      }),
      runCommand: async (line, timeoutMs) => {
        checkArguments([line]);
        const { mounts, path, env } = await commandTools(this.#parts, this.#language);
        const allowed = { ...limits, timeoutMs: Math.min(timeoutMs ?? limits.timeoutMs, limits.timeoutMs) };
        const result = await sandbox.run({ argv: ["bash", "-c", line], workspace, mounts, path, env }, allowed, signal);
        const normalise = (text: string) => normaliseOutput(text, { workspace });
        return { ...result, stdout: normalise(result.stdout), stderr: normalise(result.stderr) };
      },
      runTests: async (files) => {
        checkArguments(files);
        const language = this.#language ?? this.#parts.languages.named("python");
        const report = await runTests({
          language,
          sandbox,
          limits,
          workspace,
          toolchain: await toolchain(),
          files,
          signal,
        });
        emit(testsRun("visible", report));
        return report;
      },
    };
  }
}

const LONGEST_ARGUMENT = 100_000;

/** The system takes no argument with a NUL or beyond a length; said here, it is the model's to mend. */
function checkArguments(words: string[]): void {
  if (words.some((word) => word.includes("\0"))) {
    throw fail("invalid-input", "command.unusable", "a command cannot hold a NUL character");
  }
  if (words.reduce((sum, word) => sum + Buffer.byteLength(word), 0) > LONGEST_ARGUMENT) {
    const message = `a command has at most ${LONGEST_ARGUMENT} bytes; write longer text into a file`;
    throw fail("invalid-input", "command.unusable", message);
  }
}

/** What a model did wrong is its answer to read; what the machine lacks ends the run. */
async function attempt(run: () => Promise<string>): Promise<{ content: string; ok: boolean }> {
  try {
    return { content: await run(), ok: true };
  } catch (error) {
    if (!(error instanceof TerminalFailure)) throw error;
    if (isOutside(error.failure.kind)) throw error;
    return { content: error.failure.message, ok: false };
  }
}
