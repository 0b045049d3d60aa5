// Whether the evidence of runs that were kept (`run.ts --keep`) follows from what they recorded. README.md says how.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { EvidenceDocument } from "../../src/domain/evidence/evidence-document.ts";
import { readJson } from "../../src/domain/json.ts";
import { recountEvidence } from "../../src/verify/evidence/recount-evidence.ts";
import { Miracle } from "./miracle.ts";

const USAGE = "usage: node evals/verdicts/recount.ts FOLDER [FOLDER] [--clone PATH] [--built]";
const MINUTES = 10;

const Verified = z.object({ faults: z.array(z.string()), unchecked: z.array(z.string()) });

/** What is wrong with the evidence of one run; null where it left none. */
export async function faultsOf(miracle: Miracle, kept: string): Promise<string[] | null> {
  const scratch = mkdtempSync(join(tmpdir(), "miracle-recount-"));
  const [home, bundle] = [join(scratch, "home"), join(kept, "evidence")];
  try {
    if (existsSync(bundle)) return await verify(miracle, bundle, scratch);
    if (existsSync(join(kept, "home", "miracle.db"))) {
      // What was kept stays as it is.
      cpSync(join(kept, "home"), home, { recursive: true });
      const faults = await Promise.all(tasksOf(home).map((task) => taskFaults(miracle, task, home)));
      return faults.length === 0 ? null : faults.flat();
    }
    const document = join(kept, "evidence.json");
    return existsSync(document) ? documentFaults(readFileSync(document, "utf8")) : null;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const tasksOf = (home: string): string[] =>
  existsSync(join(home, "logs"))
    ? readdirSync(join(home, "logs")).flatMap((name) =>
        name.endsWith(".jsonl") ? name.slice(0, -".jsonl".length) : [],
      )
    : [];

async function taskFaults(miracle: Miracle, task: string, home: string): Promise<string[]> {
  const bundle = join(home, `evidence-${task}`);
  const made = await miracle.run(["evidence", task, "-o", bundle], { home, minutes: MINUTES });
  return made.exit === 0 ? verify(miracle, bundle, home) : [`no evidence: ${firstLine(made.stderr)}`];
}

async function verify(miracle: Miracle, bundle: string, home: string): Promise<string[]> {
  const { stdout, stderr } = await miracle.run(["verify", bundle, "--json"], { home, minutes: MINUTES });
  const said = Verified.safeParse(readJson(stdout)).data;
  return said ? [...said.faults, ...said.unchecked] : [`it was not verified: ${firstLine(stderr)}`];
}

/** Of a document alone only its own sums can be counted. */
function documentFaults(text: string): string[] | null {
  const document = EvidenceDocument.safeParse(readJson(text)).data;
  return document ? recountEvidence(document) : null;
}

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? "";

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      clone: { type: "string", default: resolve(import.meta.dirname, "../..") },
      built: { type: "boolean", default: false },
    },
  });
  if (positionals.length === 0) throw new Error(USAGE);
  const miracle = new Miracle(resolve(values.clone), values.built);
  const counts = { recounted: 0, differing: 0, without: 0 };
  for (const folder of positionals.map((path) => resolve(path))) {
    for (const name of readdirSync(folder).sort()) {
      const faults = await faultsOf(miracle, join(folder, name));
      if (faults === null) counts.without += 1;
      else counts.recounted += 1;
      if (!faults || faults.length === 0) continue;
      counts.differing += 1;
      process.stdout.write(`${name}\n${faults.map((fault) => `  ${fault}\n`).join("")}`);
    }
  }
  const { recounted, differing, without } = counts;
  process.stdout.write(`${recounted} recounted, ${differing} differ, ${without} left no evidence\n`);
  process.exitCode = differing > 0 ? 1 : 0;
}
