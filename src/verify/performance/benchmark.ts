import type { LanguageName } from "../../domain/plan/spec.ts";
import { WORKSPACE } from "../../sandbox/sandbox.ts";

/*
 * A benchmark is a file of the tester's that the coder never sees. It has `SIZE`, `prepare(size, seed)`, which makes an
 * input, and `work(data)`, which does the work once and gives back what came of it. It holds no clock: it is timed from
 * outside, between two lines that our driver prints.
 */

const BENCHMARK = /(^|\/)(bench_[^/]+\.py|[^/]+\.bench\.[cm]?[jt]s)$/;

export const isBenchmark = (path: string): boolean => BENCHMARK.test(path);

/** Where the benchmark of a todo belongs; null for a language in which we cannot run one. */
export function benchmarkPath(language: LanguageName, todo: string): string | null {
  if (language === "go") return null;
  if (language === "python") return `bench/bench_${todo.replaceAll("-", "_")}.py`;
  return `bench/${todo}.bench.${language === "typescript" ? "ts" : "js"}`;
}

/** What the tester of a goal about speed is told beside. */
export const BENCHMARK_RULES = [
  "The requirements are about speed. So each also needs a benchmark, which the coder never sees, in a file of its own beside the tests; its `covers` has the test `work`:",
  "- `SIZE`, a number; `prepare(size, seed)` makes an input of that size from the seed; `work(data)` does the work once, through the public interface, and gives back a small plain value that depends on all of the result.",
  "- `FACTOR`, a number, where the requirement says how many times as fast.",
  "- No clock and no printing: it is timed from outside, in fresh processes, on other sizes and seeds. `work` takes 0.2 to 2 seconds now. JavaScript exports the names.",
  "The tests themselves pass now: they say what must stay as it is.",
].join("\n");

interface BenchmarkFacts {
  size: number | null;
  factor: number | null;
}

/** Read from the text: what the code under test makes of it does not count. */
export function benchmarkFacts(content: string): BenchmarkFacts {
  const numberAt = (name: string) => {
    const found = new RegExp(
      `^(?:export\\s+)?(?:const\\s+|let\\s+|var\\s+)?${name}\\s*=\\s*([\\d_]+(?:\\.\\d+)?)`,
      "m",
    );
    const text = found.exec(content)?.[1]?.replaceAll("_", "");
    return text === undefined ? null : Number(text);
  };
  return { size: numberAt("SIZE"), factor: numberAt("FACTOR") };
}

/** How many times as fast a requirement says it must be; null where it says no number. */
export function factorSaid(text: string): number | null {
  const number = "(\\d+(?:[.,]\\d+)?)";
  const times = new RegExp(`${number}\\s*(?:x|×|times)\\s+(?:as fast|faster|quicker|the speed)`, "i").exec(text)?.[1];
  const factor = times ?? new RegExp(`\\bfactor (?:of )?${number}`, "i").exec(text)?.[1];
  if (factor !== undefined) return Number(factor.replace(",", "."));
  if (/\b(twice as fast|half (of )?(the|its) (time|duration))\b/i.test(text)) return 2;
  const percent = /(\d+(?:[.,]\d+)?)\s*(?:%|percent)\s+(faster|less time|quicker)/i.exec(text);
  if (!percent?.[1]) return null;
  const share = Number(percent[1].replace(",", ".")) / 100;
  return percent[2] === "less time" ? 1 / (1 - Math.min(share, 0.99)) : 1 + share;
}

/** Reads `size seed mark` from its input once the benchmark is loaded, and says when the input is made and the work done. */
export const driverFor = (path: string): string[] => {
  const file = `${WORKSPACE}/${path}`;
  if (path.endsWith(".py")) return ["python3", "-B", "-c", PYTHON_DRIVER, file, WORKSPACE, `${WORKSPACE}/src`];
  return ["node", "--input-type=module", "-e", NODE_DRIVER, "--", file];
};

// What is used after the code under test was loaded is taken before, and from where none of it is.
const PYTHON_DRIVER = `
import sys
sys.path = [place for place in sys.path if place not in ("", sys.argv[2])]
import hashlib, importlib.util, os

def main(file, *roots):
    write, digest, show, read, leave = os.write, hashlib.sha256, repr, sys.stdin.readline, os._exit
    sys.path[:0] = roots
    spec = importlib.util.spec_from_file_location("benchmark", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["benchmark"] = module
    spec.loader.exec_module(module)
    prepare, work = module.prepare, module.work
    size, seed, mark = read().split()
    data = prepare(int(size), int(seed))
    write(1, ("\\n%s ready\\n" % mark).encode())
    result = digest(show(work(data)).encode()).hexdigest()
    write(1, ("\\n%s done %s\\n" % (mark, result)).encode())
    leave(0)

main(*sys.argv[1:])
`;

const NODE_DRIVER = `
import { createHash } from "node:crypto";
import { readFileSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
const show = JSON.stringify, leave = process.exit.bind(process), text = String;
const digest = (value) => createHash("sha256").update(text(show(value))).digest("hex");
const loaded = await import(pathToFileURL(process.argv[1]).href);
const { prepare, work } = { ...loaded.default, ...loaded };
const [size, seed, mark] = readFileSync(0, "utf8").trim().split(" ");
const data = await prepare(Number(size), Number(seed));
writeSync(1, "\\n" + mark + " ready\\n");
const result = digest(await work(data));
writeSync(1, "\\n" + mark + " done " + result + "\\n");
leave(0);
`;
