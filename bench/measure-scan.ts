import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { packageRoot } from "../src/config/package-root.ts";
import { scanFiles } from "../src/safety/scan/scan-files.ts";
import { loadScanRules, type ScanRules } from "../src/safety/scan/scan-rules.ts";
import { type Grammar, grammarOf, SyntaxParsers } from "../src/syntax/parse.ts";
import { type Measurement, measurement, median } from "./measurement.ts";

const TIMES = 5;

/** About 100 kB each, as people write them; the costs are scaled to 100 kB. */
const FILES = [
  "/usr/lib/python3.*/argparse.py",
  "/usr/lib/python3.*/tarfile.py",
  "node_modules/zod/v4/core/schemas.js",
  "node_modules/zod/src/v4/core/schemas.ts",
  "node_modules/typescript/dist/ast/scanner.js",
];

/** What a scan of 100 kB costs in processor time, beside parsing alone: other programs on the machine do not count. */
export const measureScan = (): Measurement => {
  let opened: Promise<{ parsers: SyntaxParsers; rules: ScanRules }> | undefined;
  return measurement(
    ["scan", "scan-ratio"],
    async () => {
      opened ??= open();
      const { parsers, rules } = await opened;
      const samples: { scan: number; parse: number }[] = [];
      for (const { path, grammar, content } of texts()) {
        const parts = content.length / 100_000;
        const parse = await cost(() => parsers.parse(grammar, content));
        const scan = await cost(() => scanFiles([{ path, content }], rules, parsers));
        samples.push({ scan: scan / parts, parse: parse / parts });
      }
      return {
        scan: median(samples.map(({ scan }) => scan)),
        slowest: Math.max(...samples.map(({ scan }) => scan)),
        parse: median(samples.map(({ parse }) => parse)),
        ratio: median(samples.map(({ scan, parse }) => scan / parse)),
      };
    },
    (samples) => {
      const ofAll = (key: "parse" | "slowest") => median(samples.map((sample) => sample[key])).toFixed(0);
      return [
        {
          name: "scan",
          what: "code scan of 100 kB, processor time",
          value: median(samples.map(({ scan }) => scan)),
          unit: "ms",
          bar: 150,
          detail: `parsing ${ofAll("parse")} ms of it, the slowest file ${ofAll("slowest")} ms`,
        },
        {
          name: "scan-ratio",
          what: "code scan ÷ parsing alone",
          value: median(samples.map(({ ratio }) => ratio)),
          unit: "×",
          bar: null,
          detail: `median of ${texts().length} files`,
        },
      ];
    },
  );
};

async function open(): Promise<{ parsers: SyntaxParsers; rules: ScanRules }> {
  const parsers = new SyntaxParsers();
  const rules = await loadScanRules(packageRoot());
  // A grammar is loaded once in a process, and code is fast when it has run.
  for (const { path, content } of texts())
    for (let time = 0; time < 3; time += 1) await scanFiles([{ path, content }], rules, parsers);
  return { parsers, rules };
}

/** The median of a few, in milliseconds of processor time. */
async function cost(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return median(times);
}

function texts(): { path: string; grammar: Grammar; content: string }[] {
  return FILES.flatMap((pattern) => globSync(pattern, { cwd: packageRoot() }).slice(0, 1)).flatMap((path) => {
    const grammar = grammarOf(path);
    return grammar ? [{ path, grammar, content: readFileSync(resolve(packageRoot(), path), "utf8") }] : [];
  });
}
