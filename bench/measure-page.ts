import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { releaseTask } from "../src/journal/claim.ts";
import { browserPath, openBrowser } from "../test/browser/browser.ts";
import { JournalBuilder, testFrozen } from "../test/journal-builder.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";

const TASKS = 10_000;
const STEPS = 5000;
const LONG = "tf0000000";

interface Painted {
  /** From the navigation to the first thing that is drawn, and to what the page is for. */
  paintMs: number;
  readyMs: number;
}

/** The page in a real browser: a list of many tasks, and a task of many steps. No row where there is no browser. */
export const measurePage = (place: Place): Measurement => {
  let filled: Promise<string> | undefined;
  return measurement(
    ["page-tasks", "page-steps"],
    async () => {
      if (browserPath === undefined) {
        process.stderr.write("the page is left out: there is no browser here\n");
        return [];
      }
      filled ??= fill(place);
      const directory = await filled;
      const miracle = fileURLToPath(new URL("../bin/miracle.js", import.meta.url));
      const server = spawn(process.execPath, [miracle, "serve", "--port", "0", "--no-token"], {
        ...{ cwd: directory, env: place.env, stdio: ["ignore", "pipe", "inherit"] },
      });
      try {
        const origin = await new Promise<string>((resolve) => {
          server.stdout?.on("data", (chunk) => {
            const [, found] = /serving at (http:\S+?)\/?\n/.exec(String(chunk)) ?? [];
            if (found) resolve(found);
          });
        });
        const tasks = await open(origin, "#/tasks", "main a[href^='#/tasks/t']");
        return [{ tasks, steps: await open(origin, `#/tasks/${LONG}/steps`, "main button.step") }];
      } finally {
        server.kill("SIGKILL");
      }
    },
    (taken) => {
      const samples = taken.flat();
      if (samples.length === 0) return [];
      const row = (name: string, what: string, which: "tasks" | "steps") => ({
        name,
        what,
        value: median(samples.map((sample) => sample[which].readyMs)),
        unit: "ms" as const,
        bar: null,
        detail: `first paint after ${median(samples.map((sample) => sample[which].paintMs)).toFixed(0)} ms`,
      });
      return [
        row("page-tasks", `the first of ${TASKS} tasks in the page`, "tasks"),
        row("page-steps", `the first of ${STEPS} steps in the page`, "steps"),
      ];
    },
  );
};

/** In a browser that has seen nothing yet. */
async function open(origin: string, hash: string, wanted: string): Promise<Painted> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${origin}/${hash}`, { waitUntil: "commit" });
    await page.locator(wanted).first().waitFor({ timeout: 60_000 });
    const readyMs = z.number().parse(await page.evaluate("performance.now()"));
    const paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";
    return { readyMs, paintMs: z.number().parse(await page.evaluate(paint)) };
  } finally {
    await browser.close();
  }
}

/** Tasks that ended, and one with many steps; the directory that they are of. */
async function fill(place: Place): Promise<string> {
  const directory = place.project({ "README.md": "a shop\n" });
  mkdirSync(place.data, { recursive: true });
  const builder = new JournalBuilder(place.data);
  await using store = await builder.store();
  const request = { goal: "a long goal", directory, attachments: [], apply: true };
  const journal = await builder.create(store, LONG, testFrozen({ request }));
  await journal.run("task", async (strand) => {
    for (let number = 0; number < STEPS; number += 1) {
      const step = { kind: "tool", name: "read_file", input: { number }, output: z.string(), durable: false } as const;
      await strand.step(step, async ({ emit }) => {
        emit({ type: "tool-called", tool: "read_file", subject: `part ${number}`, ok: true, durationMs: 1 });
        return `part ${number}`;
      });
    }
  });
  if (journal.claim) await releaseTask(store, journal.claim);
  const { frozen_hash } = await store.read.selectFrom("tasks").select("frozen_hash").executeTakeFirstOrThrow();
  await store.write(async (tx) => {
    for (let number = 0; number < TASKS; number += 1) {
      await tx
        .insertInto("tasks")
        .values({
          ...{ id: `t${String(number).padStart(8, "0")}`, description: `goal ${number}`, directory, frozen_hash },
          ...{ status: "checked", phase: "done", created_at: number, updated_at: number },
        })
        .execute();
    }
  });
  return directory;
}
