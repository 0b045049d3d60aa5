import { describe } from "vitest";
import { jobQueueConformance } from "../../test/conformance/job-queue.ts";
import { LEASE_SECONDS } from "./job-queue.ts";
import { LocalJobQueue } from "./local-job-queue.ts";

describe("a queue of this process", () => {
  jobQueueConformance(async () => {
    let now = Date.now();
    const steps = new Map<string, number>();
    const queue = new LocalJobQueue(
      () => now,
      LEASE_SECONDS,
      async (task) => steps.get(task) ?? 0,
    );
    const pass = async () => {
      now += 3_600_000;
      await queue.figures();
      now += 3_600_000;
    };
    return { queue, record: (task, count) => void steps.set(task, count), pass };
  });
});
