import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Strand } from "../src/journal/strand.ts";
import { JournalBuilder } from "../test/journal-builder.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";

const STEPS = 1000;
const DURABLE_STEPS = 50;
const Printed = z.string();

/** What a step costs beside its effect: packing, hashing, one transaction with its event, and one flush to the disk. */
export const measureJournal = (place: Place): Measurement => {
  let task = 0;
  return measurement(
    ["journal", "journal-fsync"],
    async () => {
      task += 1;
      const directory = place.directory("journal");
      const builder = new JournalBuilder(directory);
      await using store = await builder.store();
      const journal = await builder.create(store, `t${String(task).padStart(8, "0")}`);
      return await journal.run("task", async (strand) => ({
        loose: await timeSteps(strand, STEPS, false),
        durable: await timeSteps(strand, DURABLE_STEPS, true),
        bare: timeWrites(join(directory, "bare"), DURABLE_STEPS),
      }));
    },
    (samples) => {
      const durable = median(samples.map((sample) => sample.durable)).toFixed(2);
      const bare = median(samples.map((sample) => sample.bare)).toFixed(2);
      return [
        {
          name: "journal",
          what: "journal step without fsync",
          value: median(samples.map((sample) => sample.loose)),
          unit: "ms",
          bar: 0.1,
          detail: `median of ${STEPS} in a row`,
        },
        {
          name: "journal-fsync",
          what: "journal step ÷ a bare write with fsync",
          value: median(samples.map((sample) => sample.durable / sample.bare)),
          unit: "×",
          // One flush and not two.
          bar: 2,
          detail: `${durable} ms, bare ${bare} ms`,
        },
      ];
    },
  );
};

/** The median of what one step takes. */
export async function timeSteps(strand: Strand, count: number, durable: boolean): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const start = performance.now();
    await strand.step(
      { kind: "tool", name: "code/run_command", input: { tool: "run_command", number }, output: Printed, durable },
      async ({ emit }) => {
        emit({ type: "tool-called", tool: "run_command", subject: "ls", ok: true, durationMs: 1 });
        return `what the command printed, number ${number}`;
      },
    );
    times.push(performance.now() - start);
  }
  return median(times);
}

/** What the disk itself needs for as much: the pages of one small commit. */
function timeWrites(path: string, count: number): number {
  const file = openSync(path, "a");
  const bytes = Buffer.alloc(4 * 4096);
  const times: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const start = performance.now();
    writeSync(file, bytes);
    fsyncSync(file);
    times.push(performance.now() - start);
  }
  closeSync(file);
  return median(times);
}
