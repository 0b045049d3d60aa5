import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** The fast suite stands beside the source; what crosses folders or takes long has projects of its own. */
export default defineConfig({
  test: {
    // Most tests wait for processes of their own: as many at once as there are cores, and two on a single one.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "end-to-end", include: ["test/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 } },
      // Apart from all others and one file after another: an image that is imported takes from the disk that a sandbox watches.
      {
        test: {
          name: "docker",
          include: ["test/docker/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 600_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "postgres",
          include: ["test/postgres/*.test.ts"],
          globalSetup: "test/postgres/global-setup.ts",
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      { test: { name: "cheating", include: ["test/cheating/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 } },
      { test: { name: "attack", include: ["test/attack/*.test.ts"], testTimeout: 60_000, hookTimeout: 120_000 } },
      { test: { name: "crash", include: ["test/crash/*.test.ts"], testTimeout: 600_000, hookTimeout: 120_000 } },
    ],
  },
});
