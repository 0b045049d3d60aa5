/*
 * One small goal against each provider whose key is present: the whole product, from the command to the proven result.
 * Not part of `npm test`: it costs money, a few cents for each provider, never more than a dollar.
 *
 *   npm run test:live               every provider of config/models.yaml that has a key
 *   npm run test:live -- openai     only this one
 *   MIRACLE_BASE_URL=http://127.0.0.1:8080/v1 npm run test:live -- local     any OpenAI-compatible server
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const GOAL = "Write calc.py with a function add(a, b) that returns the sum of two numbers, e.g. add(2, 3) gives 5";
const MOST_DOLLARS = "1";

const root = join(import.meta.dirname, "..");
const { providers } = z
  .object({
    providers: z.record(
      z.string(),
      z.object({
        keyVariable: z.string().optional(),
        baseUrl: z.string().optional(),
        defaultModel: z.string().optional(),
      }),
    ),
  })
  .parse(parse(readFileSync(join(root, "config/models.yaml"), "utf8")));

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(providers, name));
if (unknown.length > 0)
  throw new Error(`no such provider: ${unknown.join(", ")}; there are ${Object.keys(providers).join(", ")}`);

let failed = 0;
let ran = 0;
for (const [name, provider] of Object.entries(providers)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const why = await reasonToSkip(name, provider);
  if (why !== null) {
    console.log(`skipped ${name}: ${why}`);
    continue;
  }
  ran += 1;
  const home = mkdtempSync(join(tmpdir(), `miracle-live-${name}-`));
  const directory = mkdtempSync(join(tmpdir(), `miracle-live-${name}-work-`));
  const model = `${name}/${process.env.MIRACLE_LIVE_MODEL ?? provider.defaultModel ?? "default"}`;
  const words = ["run", GOAL, "--model", model, "--max-cost", MOST_DOLLARS, "--timeout", "20m", "--yes", "--quiet"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "bin/miracle.js"), ...words], {
    cwd: directory,
    env: { ...process.env, MIRACLE_HOME: home },
    encoding: "utf8",
  });
  // What is proven is told before the line that says so.
  const isProven = status === 0 && /^proven: /m.test(stdout);
  if (!isProven) failed += 1;
  console.log(`${isProven ? "proven" : "NOT PROVEN"} ${model} (exit ${status})\n${isProven ? "" : stdout + stderr}`);
}
console.log(`${ran} run, ${failed} not proven`);
process.exitCode = failed > 0 ? 1 : 0;

/** A key that is missing, or a server of one's own that does not answer. */
async function reasonToSkip(
  name: string,
  { keyVariable, baseUrl }: { keyVariable?: string | undefined; baseUrl?: string | undefined },
): Promise<string | null> {
  if (baseUrl === undefined) return keyVariable && process.env[keyVariable] ? null : `${keyVariable} is not set`;
  const address = (name === "local" ? process.env.MIRACLE_BASE_URL : undefined) ?? baseUrl;
  try {
    const { ok, status } = await fetch(`${address}/models`, { signal: AbortSignal.timeout(3000) });
    return ok ? null : `${address} answers ${status}`;
  } catch {
    return `nothing answers at ${address}`;
  }
}
