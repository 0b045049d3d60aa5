import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { fastFiles } from "./test/fast-files.ts";

// Below it a test fails or hangs in ways that say nothing of the reason.
if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(`the tests need Node 24, this is ${process.version}: start them with npm or npx`);
}

const fast = fastFiles(import.meta.dirname);

/**
 * Tests stand beside the source; what crosses folders or takes long has projects of its own, and so has what needs
 * nothing but its own process. Modules have no effects on import and no globals, so the files of a project share them
 * (`isolate: false`): loading them anew for each file took longer than most files' tests.
 */
export default defineConfig({
  test: {
    // Most tests wait for processes of their own, and those now and then for a limit: one more at once than there are cores.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "evals/**/*.test.ts", "web/**/*.test.ts"],
          exclude: fast,
          testTimeout: 120_000,
          isolate: false,
        },
      },
      {
        test: {
          name: "end-to-end",
          include: ["test/*.test.ts"],
          exclude: fast,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate: false,
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
      // One browser for all: skipped where there is none.
      { test: { name: "browser", include: ["test/browser/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 } },
      // Containers are mostly waited for: they are tested beside everything else.
      {
        test: { name: "docker", include: ["test/docker/*.test.ts"], testTimeout: 120_000, hookTimeout: 600_000 },
      },
      {
        test: {
          name: "fast",
          include: fast,
          setupFiles: "test/nothing-outside.ts",
          testTimeout: 30_000,
          isolate: false,
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
    ],
  },
});
