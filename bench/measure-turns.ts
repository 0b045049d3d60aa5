import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Measurement, measurement, median, type Row } from "./measurement.ts";
import type { Exchange, ModelServer } from "./model-server.ts";
import type { Place } from "./place.ts";
import { floorArguments, miracleArguments, type Run, type RunOptions, runNode } from "./run-agent.ts";
import { checkResult, GOAL, projectOf, tenTurns } from "./ten-turns.ts";

/** Small as a new project, and as large as the bar for the gap goes. */
const SMALL = 20;
const LARGE = 990;

interface Timing {
  startMs: number;
  /** From the end of an answer to the next request. */
  gapsMs: number[];
  /** From the end of the last answer to the end of the program. */
  endMs: number;
  wallMs: number;
  cpuMs: number;
  firstTokens: number;
}

/** The same ten scripted turns by the floor and by us: how long until the model is asked, and between two turns. */
export const measureTurns = (place: Place, server: ModelServer): Measurement =>
  measurement(
    ["start", "gap", "end", "turns", "turns-processor", "prompt"],
    () => samplePair(place, server, SMALL),
    (pairs) => [
      {
        name: "start",
        what: "start → first model request ÷ floor",
        value: median(pairs.map(({ ours, floor }) => ours.startMs / floor.startMs)),
        unit: "×",
        bar: 1.6,
        detail: figures(pairs, (timing) => timing.startMs),
      },
      gapRow("gap", SMALL, pairs),
      {
        name: "end",
        what: "end after the last answer",
        value: median(pairs.map(({ ours }) => ours.endMs)),
        unit: "ms",
        bar: 40,
        detail: figures(pairs, (timing) => timing.endMs),
      },
      {
        name: "turns",
        what: "ten scripted turns ÷ floor",
        value: median(pairs.map(({ ours, floor }) => ours.wallMs / floor.wallMs)),
        unit: "×",
        bar: 2,
        detail: figures(pairs, (timing) => timing.wallMs),
      },
      {
        name: "turns-processor",
        what: "ten scripted turns, processor time",
        value: median(pairs.map(({ ours }) => ours.cpuMs)),
        unit: "ms",
        bar: 400,
        detail: figures(pairs, (timing) => timing.cpuMs),
      },
      {
        name: "prompt",
        what: "first-turn prompt (characters ÷ 4)",
        value: median(pairs.map(({ ours }) => ours.firstTokens)),
        unit: "tokens",
        bar: 2000,
        detail: `floor ${median(pairs.map(({ floor }) => floor.firstTokens)).toFixed(0)} tokens`,
      },
    ],
  );

export const measureTurnsInLargeTree = (place: Place, server: ModelServer): Measurement =>
  measurement(
    ["gap-large"],
    () => samplePair(place, server, LARGE),
    (pairs) => [gapRow("gap-large", LARGE, pairs)],
  );

/** Not timed: looking at the memory costs time itself. */
export const measureMemory = (place: Place, server: ModelServer): Measurement =>
  measurement(
    ["memory"],
    async () => {
      const floor = await runTurns("floor", place, server, SMALL, true);
      const ours = await runTurns("ours", place, server, SMALL, true);
      return { floor: floor.run.peakMemory / 1e6, ours: ours.run.peakMemory / 1e6 };
    },
    (samples) => [
      {
        name: "memory",
        what: "peak memory of the process tree",
        value: median(samples.map(({ ours }) => ours)),
        unit: "MB",
        bar: 150,
        detail: `floor ${median(samples.map(({ floor }) => floor)).toFixed(0)} MB`,
      },
    ],
  );

export interface Pair {
  floor: Timing;
  ours: Timing;
}

async function samplePair(place: Place, server: ModelServer, files: number): Promise<Pair> {
  const floor = timingOf(await runTurns("floor", place, server, files));
  const ours = timingOf(await runTurns("ours", place, server, files));
  return { floor, ours };
}

/** The same turns in a given directory, whose files from the last time are gone, or with other data than all rows have. */
export async function samplePairIn(place: Place, server: ModelServer, cwd: string, data?: string): Promise<Pair> {
  const timed = async (agent: Agent) => {
    for (const name of ["calc.py", "test_calc.py"]) rmSync(join(cwd, name), { force: true });
    return timingOf(await runIn(agent, place, server, { cwd, data }));
  };
  return { floor: await timed("floor"), ours: await timed("ours") };
}

type Agent = "floor" | "ours";

function runTurns(agent: Agent, place: Place, server: ModelServer, files: number, memory = false) {
  return runIn(agent, place, server, { cwd: place.project(projectOf(files)), memory });
}

async function runIn(agent: Agent, place: Place, server: ModelServer, options: RunOptions & { cwd: string }) {
  const exchanges = server.follow(tenTurns);
  const args =
    agent === "floor" ? floorArguments(server.baseUrl, GOAL) : miracleArguments(server.baseUrl, GOAL, ["--direct"]);
  const run = await runNode(args, place, options);
  checkResult(options.cwd, exchanges.length);
  return { run, exchanges };
}

function timingOf({ run, exchanges }: { run: Run; exchanges: Exchange[] }): Timing {
  const [first, ...later] = exchanges;
  if (!first) throw new Error("the model was never asked");
  return {
    startMs: first.arrivedAt - run.startedAt,
    gapsMs: later.map((next, index) => next.arrivedAt - (exchanges[index]?.answeredAt ?? Number.NaN)),
    endMs: run.startedAt + run.wallMs - (exchanges.at(-1)?.answeredAt ?? Number.NaN),
    wallMs: run.wallMs,
    cpuMs: run.cpuMs,
    firstTokens: first.asked / 4,
  };
}

export function gapRow(name: string, files: number, pairs: Pair[]): Row {
  // Turn by turn: the commands differ, and each is compared with itself.
  const over = pairs.flatMap(({ ours, floor }) =>
    ours.gapsMs.map((gap, turn) => gap - (floor.gapsMs[turn] ?? Number.NaN)),
  );
  return {
    name,
    what: `gap per turn − floor, ${files} files`,
    value: median(over),
    unit: "ms",
    bar: 25,
    detail: figures(pairs, (timing) => median(timing.gapsMs)),
  };
}

export function figures(pairs: Pair[], of: (timing: Timing) => number): string {
  const ours = median(pairs.map((pair) => of(pair.ours)));
  const floor = median(pairs.map((pair) => of(pair.floor)));
  return `${ours.toFixed(0)} ms, floor ${floor.toFixed(0)} ms`;
}
