import { join } from "node:path";
import { buildMemory } from "../test/memory-builder.ts";
import { lesson } from "./measure-memory.ts";
import { figures, gapRow, type Pair, samplePairIn } from "./measure-turns.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { ModelServer } from "./model-server.ts";
import type { Place } from "./place.ts";
import { projectOf } from "./ten-turns.ts";

const MANY = 10_000;
const BATCH = 500;
const HUGE = 30_000;

/** A memory of ten thousand lessons and as many tasks in the database: what a start costs after a year of use. */
export const measureStartFull = (place: Place, server: ModelServer): Measurement => {
  let filled: Promise<string> | undefined;
  return measurement(
    ["start-full"],
    async () => {
      filled ??= fill(place);
      return samplePairIn(place, server, place.project(projectOf(20)), await filled);
    },
    (pairs) => [startRow("start-full", `${MANY} lessons, ${MANY} tasks`, pairs)],
  );
};

/** A tree as large as a monorepo, laid out once. The first start, which reads every file, is the warming up. */
export const measureHugeTree = (place: Place, server: ModelServer): Measurement => {
  let made: string | undefined;
  return measurement(
    ["start-huge", "gap-huge"],
    async () => {
      made ??= place.project(monorepo());
      return samplePairIn(place, server, made);
    },
    (pairs) => [startRow("start-huge", `${HUGE} files`, pairs), gapRow("gap-huge", HUGE, pairs)],
  );
};

const startRow = (name: string, of: string, pairs: Pair[]) => ({
  name,
  what: `start → first model request ÷ floor, ${of}`,
  value: median(pairs.map(({ ours, floor }) => ours.startMs / floor.startMs)),
  unit: "×" as const,
  bar: name === "start-full" ? 1.6 : null,
  detail: figures(pairs, (timing) => timing.startMs),
});

/** Three hundred packages of a hundred files. */
const monorepo = (): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: HUGE }, (_, index) => {
      const [group, file] = [Math.floor(index / 100), index % 100];
      return [`packages/p${group}/src/part-${file % 10}/file-${file}.js`, `export const value = ${index};\n`];
    }),
  );

async function fill(place: Place): Promise<string> {
  const data = place.otherData("data-full");
  await using built = await buildMemory(join(data, "miracle.db"));
  for (let from = 0; from < MANY; from += BATCH) {
    await built.memory.keep(Array.from({ length: BATCH }, (_, at) => lesson(from + at)));
    const tasks = Array.from({ length: BATCH }, (_, at) => taskRow(from + at));
    await built.store.write((transaction) => transaction.insertInto("tasks").values(tasks).execute());
  }
  return data;
}

const taskRow = (number: number) => ({
  id: `t${String(number).padStart(8, "0")}`,
  description: `goal ${number}`,
  directory: `/srv/project-${number % 50}`,
  status: "proven" as const,
  phase: "proven",
  frozen_hash: "0".repeat(64),
  created_at: 1_700_000_000_000 + number,
  updated_at: 1_700_000_000_000 + number,
});
