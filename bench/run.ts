import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureEnvironment } from "./measure-environment.ts";
import { measureFix } from "./measure-fix.ts";
import { measureFollowers } from "./measure-followers.ts";
import { measureHnsw } from "./measure-hnsw.ts";
import { measureJournal } from "./measure-journal.ts";
import { measureHugeTree, measureStartFull } from "./measure-large.ts";
import { measureLending } from "./measure-lending.ts";
import { measureRecall } from "./measure-memory.ts";
import { measureMutants } from "./measure-mutants.ts";
import { measurePackage } from "./measure-package.ts";
import { measurePage } from "./measure-page.ts";
import { measurePostgres } from "./measure-postgres.ts";
import { measureQueue } from "./measure-queue.ts";
import { measureSandbox } from "./measure-sandbox.ts";
import { measureScan } from "./measure-scan.ts";
import { measureSchedule } from "./measure-schedule.ts";
import { measureTodos } from "./measure-todos.ts";
import { measureMemory, measureTurns, measureTurnsInLargeTree } from "./measure-turns.ts";
import { measureVersion } from "./measure-version.ts";
import { isMet, type Measurement, type Row } from "./measurement.ts";
import { ModelServer } from "./model-server.ts";
import { Place } from "./place.ts";
import { table } from "./table.ts";

const USAGE = `npm run bench -- [--rounds N] [--only NAME] [--json] [--check]

What Miracle costs around a model that answers at once, as ratios to the least an agent can be, measured in one run.
  --rounds N    rounds that count (default 5); one more warms up
  --cold        the first round counts too: to see that it runs, not how fast
  --only NAME   this row only (may be repeated); memory-hnsw takes minutes and runs only when it is named
  --json        the rows as JSON on stdout
  --check       exit code 1 when a bar is missed
`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    cold: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

process.exitCode = values.help ? help() : await main();

function help(): number {
  process.stdout.write(USAGE);
  return 0;
}

async function main(): Promise<number> {
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds takes a number from 1 on, not ${values.rounds}`);
  using place = new Place();
  await using server = await ModelServer.start();
  const measurements = chosen([
    measureVersion(place),
    measurePackage(),
    measureTurns(place, server),
    measureTurnsInLargeTree(place, server),
    measureHugeTree(place, server),
    measureStartFull(place, server),
    measureMemory(place, server),
    measureJournal(place),
    measurePostgres(place),
    measureQueue(place),
    measureSchedule(place),
    measureTodos(place, server),
    measureLending(place),
    measureFollowers(place),
    measurePage(place),
    measureSandbox(place),
    measureEnvironment(place),
    measureScan(),
    measureFix(place, server),
    measureMutants(),
    measureRecall(place),
    // Filling it takes minutes.
    ...(values.only.includes("memory-hnsw") ? [measureHnsw()] : []),
  ]);
  const load = [busy()];
  for (let round = values.cold ? 1 : 0; round <= rounds; round += 1) {
    process.stderr.write(round === 0 ? "warming up\n" : `round ${round} of ${rounds}\n`);
    for (const { round: sample } of measurements) {
      const count = await sample();
      if (round > 0) count();
    }
  }
  const rows = measurements.flatMap((measurement) => measurement.rows()).filter(({ name }) => isWanted(name));
  load.push(busy());
  const machine = { cores: availableParallelism(), load };
  if (values.json) process.stdout.write(`${JSON.stringify({ rounds, machine, rows: rows.map(withVerdict) })}\n`);
  else process.stdout.write(`${table(rows)}\n${footnote(rounds, machine)}\n`);
  return values.check && !rows.every(isMet) ? 1 : 0;
}

/** How many processes want to run: a bar in milliseconds means little while others keep the machine busy. */
function busy(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}

function footnote(rounds: number, { cores, load }: { cores: number; load: number[] }): string {
  return `medians of ${rounds} rounds on ${cores} cores; load ${load.join(" before, ")} after`;
}

function isWanted(name: string): boolean {
  return values.only.length === 0 || values.only.includes(name);
}

function chosen(all: Measurement[]): Measurement[] {
  const names = all.flatMap((measurement) => measurement.names);
  const unknown = values.only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`--only knows no ${unknown}; it knows ${names.join(", ")}`);
  return all.filter((measurement) => measurement.names.some(isWanted));
}

function withVerdict(row: Row): Row & { met: boolean } {
  return { ...row, met: isMet(row) };
}
