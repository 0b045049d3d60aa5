// Both figures of the verdict: what honest work is refused, and what dishonest work is proven. README.md says how.
import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cheatWork } from "./cheats.ts";
import { honestWork } from "./exercises/honest.ts";
import { tokenWork } from "./exercises/token.ts";
import { Miracle } from "./miracle.ts";
import { dishonestWork } from "./projects/dishonest.ts";
import { realWork } from "./projects/real.ts";
import { Result, SETS } from "./result.ts";
import { summaryOf } from "./summary.ts";
import { doWork, type Options, type Work } from "./work.ts";

const USAGE = `usage: node evals/verdicts/run.ts SET --from FOLDER [--from FOLDER] [options]   (SET: ${SETS.join(", ")})`;

const PREPARE: Record<Result["set"], (options: Options) => Promise<Work[]>> = {
  honest: honestWork,
  "honest-token": tokenWork,
  real: realWork,
  dishonest: dishonestWork,
  cheats: cheatWork,
};

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: "string", multiple: true },
      only: { type: "string" },
      limit: { type: "string", default: "1000" },
      out: { type: "string" },
      clone: { type: "string", default: resolve(import.meta.dirname, "../..") },
      built: { type: "boolean", default: false },
      minutes: { type: "string", default: "600" },
      "each-minutes": { type: "string", default: "10" },
      "at-once": { type: "string", default: "1" },
      unseen: { type: "boolean", default: false },
      pytest: { type: "boolean", default: false },
      keep: { type: "string" },
    },
  });
  const set = Result.shape.set.safeParse(positionals[0]).data;
  const prepare = set && PREPARE[set];
  if (!set || !prepare || !values.from) throw new Error(USAGE);
  const miracle = new Miracle(resolve(values.clone), values.built);
  const { commit } = miracle;
  const out = resolve(values.out ?? `verdicts-${set}.jsonl`);
  mkdirSync(dirname(out), { recursive: true });
  const works = await prepare({
    miracle,
    from: values.from.map((path) => resolve(path)),
    only: values.only ?? null,
    limit: Number(values.limit),
    eachMinutes: Number(values["each-minutes"]),
    unseen: values.unseen,
    pytest: values.pytest,
    keep: values.keep === undefined ? null : resolve(values.keep),
  });
  const tell = (line: string) => process.stderr.write(`${line}\n`);
  tell(`${set}: ${works.length} to do, commit ${commit}, results in ${out}`);
  const results = await doWork(works, {
    set,
    commit,
    out,
    atOnce: Number(values["at-once"]),
    minutes: Number(values.minutes),
    tell,
  });
  process.stdout.write(summaryOf(results));
}
