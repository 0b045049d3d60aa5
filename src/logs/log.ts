import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Delta, isDelta } from "../bus/bus.ts";
import { currentRequest } from "../bus/correlation.ts";
import type { Json } from "../domain/json.ts";
import type { Event } from "../domain/task/event.ts";
import { LEVELS, type LogLevel, type LogLine, toLogLine } from "./log-line.ts";

export interface LogParts {
  /** `<data directory>/logs`; one file per task, so that no two processes write one file. */
  directory: string;
  /** Takes every secret out of a value, before it is written. */
  redact: (value: Json) => Json;
  /** What is less grave is left out. Default: info. */
  level?: LogLevel;
  /** A file larger than this becomes `.1`, and the `.1` before it goes. */
  maxBytes?: number;
}

const MAX_BYTES = 10_000_000;

/** Writes events as JSON lines. A log that cannot be written is a pity, never a reason for a run to fail. */
export class Log {
  readonly #parts: LogParts;
  readonly #places = new Map<string, Pick<LogLine, "phase" | "iteration">>();
  readonly #sizes = new Map<string, number>();

  constructor(parts: LogParts) {
    this.#parts = parts;
  }

  /** A listener for the bus. */
  readonly write = (message: Event | Delta): void => {
    if (isDelta(message) && message.type !== "notice") return;
    const place = this.#places.get(message.task) ?? { phase: "init", iteration: 0 };
    const line = isDelta(message) ? noticeLine(message, place) : toLogLine(message, place, currentRequest());
    this.#places.set(message.task, { phase: line.phase, iteration: line.iteration });
    if (LEVELS.indexOf(line.level) < LEVELS.indexOf(this.#parts.level ?? "info")) return;
    try {
      this.#append(message.task, `${JSON.stringify(this.#parts.redact({ ...line }))}\n`);
    } catch {
      // A full or read-only disk: whoever needs to know is told by the store, which cannot do without it.
    }
  };

  #append(task: string, text: string): void {
    const { directory, maxBytes = MAX_BYTES } = this.#parts;
    const file = join(directory, `${task}.jsonl`);
    let size = this.#sizes.get(task);
    if (size === undefined) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    }
    if (size > 0 && size + text.length > maxBytes) {
      renameSync(file, `${file}.1`);
      size = 0;
    }
    appendFileSync(file, text, { mode: 0o600 });
    this.#sizes.set(task, size + Buffer.byteLength(text));
  }
}

type Notice = Extract<Delta, { text: string }>;

/** What is told in passing has no time of its own. */
const noticeLine = ({ task, text }: Notice, place: Pick<LogLine, "phase" | "iteration">): LogLine => ({
  timestamp: new Date().toISOString(),
  level: "debug",
  task_id: task,
  ...place,
  event: "notice",
  data: { text },
});
