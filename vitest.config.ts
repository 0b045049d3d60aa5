import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * The fast suite stands beside the source; what crosses folders or takes long has projects of its own. Modules have no
 * effects on import and no globals, so the files of a project share them (`isolate: false`): loading them anew for each
 * file took longer than most files' tests.
 */
export default defineConfig({
  test: {
    // Most tests wait for processes of their own, and those now and then for a limit: one more at once than there are cores.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"], testTimeout: 30_000, isolate: false } },
      {
        test: {
          name: "end-to-end",
          include: ["test/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate: false,
        },
      },
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
      {
        test: {
          name: "cheating",
          include: ["test/cheating/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate: false,
        },
      },
      { test: { name: "attack", include: ["test/attack/*.test.ts"], testTimeout: 60_000, hookTimeout: 120_000 } },
      {
        test: {
          name: "crash",
          include: ["test/crash/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          isolate: false,
        },
      },
    ],
  },
});
