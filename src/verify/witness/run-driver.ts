import { chownSync, lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import type { Toolchain, WitnessRun } from "../../languages/language.ts";
import { readReport } from "../../languages/read-report.ts";
import { type CommandResult, type Guise, type Sandbox, WORKSPACE } from "../../sandbox/sandbox.ts";
import { settleIn, shellVariables } from "./guise.ts";

const DriverLine = z.lazy(() =>
  z.union([
    z.object({
      turn: z.int(),
      id: z.string(),
      outcome: z.enum(["begun", "passed", "failed", "not-run"]),
      message: z.string(),
      why: z.string(),
    }),
    z.object({ turn: z.int(), end: z.literal(true) }),
  ]),
);

export interface DriverOutcome {
  outcome: "passed" | "failed" | "not-run";
  message: string;
  why: string;
}

/** What a driver said, by test: the first time, and the second time in the same process. */
export interface DriverReport {
  first: Map<string, DriverOutcome>;
  second: Map<string, DriverOutcome>;
  /** How its process ended, and its last words; for a person. */
  end: string;
  result: Pick<CommandResult, "ending" | "exitCode" | "signal" | "durationMs">;
}

export interface DriverPlace {
  sandbox: Sandbox;
  limits: SandboxLimits;
  signal: AbortSignal;
  toolchain: Toolchain;
  /** Holds the tree, freshly laid out; nothing of it has run. */
  directory: string;
  /** Absent: it looks as tests always look. */
  guise?: Guise;
  /** The same on both sides: whether tests bear another time zone is asked elsewhere. */
  zone: string;
}

const MOST_BYTES = 16_000_000;
const LONGEST_END = 600;

/** Runs one driver once. What it says is untrusted: lines that are not its own are left out, and all is bounded. */
export async function runDriver(run: WitnessRun, mark: string, place: DriverPlace): Promise<DriverReport> {
  const { sandbox, limits, signal, toolchain, directory, guise, zone } = place;
  const { uid, gid } = lstatSync(directory);
  if (guise) settleIn(directory, guise);
  for (const { path, content } of run.files) {
    writeFileSync(join(directory, path), content);
    chownSync(join(directory, path), uid, gid);
  }
  const own = new OwnLines(mark);
  const result = await sandbox.run(
    {
      argv: run.argv,
      workspace: directory,
      mounts: toolchain.mounts,
      path: toolchain.path,
      env: { ...(guise ? shellVariables(guise) : { TZ: zone }), ...run.env, ...toolchain.needs?.env },
      ...(run.stdin !== undefined && { stdin: run.stdin }),
      ...(guise && { guise }),
      onOutput: (stream, chunk) => {
        if (stream === "stdout") own.add(chunk);
      },
    },
    limits,
    signal,
  );
  const whole = run.reportFile === undefined ? own.text : reportIn(directory, run);
  // Whose machine it seemed to be is nobody's business who reads what was seen.
  const text = whole.replaceAll(`${guise?.directory ?? WORKSPACE}/`, "");
  const how = result.ending === "exited" ? `exit code ${result.exitCode ?? result.signal}` : result.ending;
  const said = `${result.stdout}\n${result.stderr}`.replaceAll(mark, "").trim().slice(-LONGEST_END);
  const isOurs = result.ending !== "exited";
  return { ...readLines(text, mark, { how, isOurs }), end: `${how}\n${said}`.trim(), result };
}

/** Code under test may print without end: only the driver's own lines are kept. */
class OwnLines {
  text = "";
  readonly #mark: Buffer;
  #line = Buffer.alloc(0);
  #isForeign = false;

  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(10, at);
      const piece = chunk.subarray(at, end === -1 ? chunk.length : end);
      if (!this.#isForeign) this.#line = Buffer.concat([this.#line, piece]);
      const start = this.#line.subarray(0, this.#mark.length);
      this.#isForeign ||= !this.#mark.subarray(0, start.length).equals(start);
      if (end === -1) return;
      if (!this.#isForeign && this.text.length < MOST_BYTES) this.text += `${this.#line.toString("utf8")}\n`;
      this.#line = Buffer.alloc(0);
      this.#isForeign = false;
      at = end + 1;
    }
  }
}

const reportIn = (directory: string, { reportFile = "" }: WitnessRun): string =>
  readReport(join(directory, reportFile)) ?? "";

/** `isOurs`: a limit of the sandbox ended it, such as that of its output. That is no fault of a test. */
function readLines(
  text: string,
  mark: string,
  { how, isOurs }: { how: string; isOurs: boolean },
): Pick<DriverReport, "first" | "second"> {
  const turns = [new Map<string, DriverOutcome>(), new Map<string, DriverOutcome>()] as const;
  const running = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (!line.startsWith(mark)) continue;
    const read = DriverLine.safeParse(readJson(line.slice(mark.length)));
    if (!read.success || "end" in read.data) continue;
    const { turn, id, outcome, message, why } = read.data;
    if (outcome === "begun") running.set(id, turn);
    else {
      running.delete(id);
      turns[turn - 1]?.set(id, { outcome, message, why });
    }
  }
  for (const [id, turn] of running) {
    const ended: DriverOutcome = isOurs
      ? { outcome: "not-run", message: "", why: `a limit ended the run (${how})` }
      : { outcome: "failed", message: `the process ended while it ran (${how})`, why: "" };
    turns[turn - 1]?.set(id, ended);
  }
  return { first: turns[0], second: turns[1] };
}
