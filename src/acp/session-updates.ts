import { join } from "node:path";
import type { PlanEntry, SessionUpdate, ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";
import { type ChangedTree, type Delta, isDelta } from "../bus/bus.ts";
import type { Event } from "../domain/task/event.ts";
import { PLAN_EVENTS, planState, type TodoState } from "../domain/task/plan-state.ts";
import type { ArtifactStore } from "../workspace/artifact-store.ts";
import { fenced, withoutImages } from "./markdown.ts";

/** What an editor is told of a run, from its beginning on. */
export class SessionUpdates {
  readonly #directory: string;
  readonly #artifacts: () => Pick<ArtifactStore, "changes" | "readFile">;
  readonly #lineOf: (event: Event) => string | null;
  readonly #planEvents: Event[] = [];
  #plan = "";
  #progress = "";
  #calls = 0;

  constructor(
    directory: string,
    artifacts: () => Pick<ArtifactStore, "changes" | "readFile">,
    /** As the command line tells it; null: it says nothing. */
    lineOf: (event: Event) => string | null,
  ) {
    this.#directory = directory;
    this.#artifacts = artifacts;
    this.#lineOf = lineOf;
  }

  of(message: Event | Delta): SessionUpdate[] {
    if (!isDelta(message)) return [...this.#planUpdate(message), ...this.#eventUpdate(message)];
    if (message.type === "tree-changed") return this.#changeUpdate(message);
    if (message.type === "notice") return [thought(message.text)];
    // Long work of ours is told when it begins, and not at every step of it.
    if (message.type !== "progress" || message.text === this.#progress) return [];
    this.#progress = message.text;
    return [thought(message.text)];
  }

  #planUpdate(event: Event): SessionUpdate[] {
    if (!PLAN_EVENTS.some((type) => type === event.type)) return [];
    this.#planEvents.push(event);
    const state = planState(this.#planEvents, "running");
    const entries = (state?.todos ?? []).map(
      ({ todo, state }): PlanEntry => ({ content: todo.title, priority: "medium", status: ENTRY_STATUS[state] }),
    );
    const plan = JSON.stringify(entries);
    if (entries.length === 0 || plan === this.#plan) return [];
    this.#plan = plan;
    return [{ sessionUpdate: "plan", entries }];
  }

  #eventUpdate(event: Event): SessionUpdate[] {
    const line = this.#lineOf(event);
    switch (event.type) {
      case "tool-called": {
        const { tool, subject, ok } = event;
        // As a diff, or as the run of the tests.
        if (ok && SHOWN_OTHERWISE.has(tool)) return [];
        return [this.#call(`${tool} ${subject}`.trim(), TOOL_KINDS[tool] ?? "other", ok)];
      }
      case "tests-run": {
        const red = event.scope === "red-check" ? [] : event.red.map(({ id, message }) => `${id}: ${message}`);
        const ok = event.passed || event.scope === "red-check";
        return [this.#call(line ?? "tests", "execute", ok, red.length > 0 ? [text(fenced(red.join("\n")))] : [])];
      }
      // The person is asked by a request of its own.
      case "approval-requested":
      case "model-called":
        return [];
      default:
        return line === null ? [] : [thought(line)];
    }
  }

  /** A glance and nothing more: what cannot be read is not shown, and the run goes on. */
  #changeUpdate(changed: ChangedTree): SessionUpdate[] {
    try {
      return this.#change(changed);
    } catch {
      return [];
    }
  }

  #change({ before, tree }: ChangedTree): SessionUpdate[] {
    const changes = this.#artifacts().changes(before, tree);
    const shown = changes.slice(0, MOST_FILES).flatMap(({ path, change }) => {
      const oldText = change === "added" ? null : this.#text(before, path);
      const newText = change === "deleted" ? "" : this.#text(tree, path);
      return newText === null ? [] : [{ type: "diff" as const, path: join(this.#directory, path), oldText, newText }];
    });
    if (shown.length === 0) return [];
    const paths = changes.map(({ path }) => path);
    const more = paths.length > MOST_NAMED ? `, and ${paths.length - MOST_NAMED} more` : "";
    const update = this.#call(`changed ${paths.slice(0, MOST_NAMED).join(", ")}${more}`, "edit", true, shown);
    return [{ ...update, locations: shown.map(({ path }) => ({ path })) }];
  }

  #text(tree: string, path: string): string | null {
    const content = this.#artifacts().readFile(tree, path);
    return content === null || content.length > MOST_BYTES || content.includes(0) ? null : content.toString("utf8");
  }

  #call(title: string, kind: ToolKind, ok: boolean, content: ToolCallContent[] = []) {
    this.#calls += 1;
    const status = ok ? ("completed" as const) : ("failed" as const);
    const toolCallId = `call-${this.#calls}`;
    return { sessionUpdate: "tool_call" as const, toolCallId, title: withoutImages(title), kind, status, content };
  }
}

const MOST_FILES = 20;
const MOST_NAMED = 3;
const MOST_BYTES = 200_000;

const ENTRY_STATUS: Record<TodoState, PlanEntry["status"]> = {
  waiting: "pending",
  ready: "pending",
  running: "in_progress",
  branched: "in_progress",
  done: "completed",
  // The protocol has no word for these: they are not worked on any more.
  failed: "completed",
  cancelled: "completed",
};

const SHOWN_OTHERWISE = new Set(["create_file", "edit_file", "delete_file", "run_tests"]);

const TOOL_KINDS: Record<string, ToolKind> = {
  read_file: "read",
  list_files: "search",
  search: "search",
  create_file: "edit",
  edit_file: "edit",
  delete_file: "delete",
  run_command: "execute",
  run_tests: "execute",
  add_dependency: "fetch",
  finish: "think",
};

export const text = (words: string): ToolCallContent & { type: "content" } => ({
  type: "content",
  content: { type: "text", text: words },
});

const thought = (line: string): SessionUpdate => ({
  sessionUpdate: "agent_thought_chunk",
  content: { type: "text", text: `${withoutImages(line)}\n\n` },
});
