import { expect, test } from "vitest";
import { resolveSettings } from "../../app/resolve-settings.ts";
import type { Environment } from "../../config/environment-layer.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { costRange } from "./cost-range.ts";

async function settings(env: Environment, flags: ConfigFlags = {}) {
  return resolveSettings(await loadConfig({ directory: "/", env, home: "/nowhere", root: packageRoot(), flags }));
}

test("the range of the cost never goes beyond the limit, and says when there is none to tell", async () => {
  const env = { OPENAI_API_KEY: "k" };
  expect(costRange(await settings(env))).toMatch(
    /^openai\/gpt-6\.1-sol: \$0\.\d+ to \$\d+\.\d+ to be expected; no cost limit$/,
  );
  expect(costRange(await settings(env, { maxCost: 0.05 }))).toContain(
    "to $0.05 to be expected; limit $0.05, --max-cost changes it",
  );
  expect(costRange(await settings(env, { model: "openai/gpt-unheard-of" }))).toContain("no price known");
  expect(costRange(await settings({}, { baseUrl: "http://127.0.0.1:9/v1" }))).toBe(
    "local/default: free; no cost limit",
  );
});
