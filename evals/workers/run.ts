import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FarMachine } from "../../test/postgres/far-machine.ts";
import { PostgresServer } from "../../test/postgres/postgres-server.ts";
import { CableCut } from "./cable-cut.ts";
import { runCrowd } from "./run-crowd.ts";

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "1000" },
    workers: { type: "string", default: "3" },
    seconds: { type: "string", default: "10" },
    minutes: { type: "string", default: "60" },
    helpers: { type: "string", default: "0" },
    cut: { type: "string", default: "0" },
    "no-restart": { type: "boolean", default: false },
  },
});

const postgres = await PostgresServer.start();
if (typeof postgres === "string") throw new Error(postgres);
const cutMs = Number(values.cut) * 1000;
const far = cutMs > 0 ? FarMachine.open() : undefined;
if (typeof far === "string") throw new Error(far);
const tell = (text: string) => console.log(text);
const root = mkdtempSync(join("/var/tmp", "miracle-workers-"));
try {
  const { problems, ...figures } = await runCrowd(postgres, {
    tasks: Number(values.tasks),
    workers: Number(values.workers),
    helpers: Number(values.helpers),
    directories: 10,
    killMs: Number(values.seconds) * 1000,
    kills: Number.POSITIVE_INFINITY,
    cut: far && new CableCut(far, cutMs, tell),
    restart: !values["no-restart"],
    askingMs: Number(values.minutes) * 60_000,
    patienceMs: 300_000,
    root,
    tell,
  });
  console.log(JSON.stringify(figures));
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? "everything holds" : `${problems.length} things do not hold`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await far?.[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
}
