import { expect, test } from "vitest";
import type { ConfigFlags } from "../config/flags.ts";
import { loadConfig } from "../config/load-config.ts";
import { packageRoot } from "../config/package-root.ts";
import { NO_LIMIT } from "../config/parse-setting.ts";
import { resolveSettings } from "./resolve-settings.ts";
import { withUsualLimit } from "./usual-limit.ts";

const limitOf = async (env: Record<string, string>, flags: ConfigFlags = {}) => {
  const config = await loadConfig({ directory: "/", env, home: "/nowhere", root: packageRoot(), flags });
  return withUsualLimit(resolveSettings(config), flags).limits.maxCostMicros;
};

test("a key that pays has a limit of ten dollars, unless the person says another one, or none", async () => {
  const env = { OPENAI_API_KEY: "k" };
  expect(await limitOf(env)).toBe(10_000_000);
  expect(await limitOf(env, { maxCost: 2 })).toBe(2_000_000);
  expect(await limitOf(env, { maxCost: NO_LIMIT })).toBeNull();
  expect(await limitOf({ ...env, MIRACLE_MAX_COST: "3" })).toBe(3_000_000);
});

test("a free model has none, and neither has one without a price: it could not be asked", async () => {
  expect(await limitOf({}, { baseUrl: "http://127.0.0.1:9/v1" })).toBeNull();
  expect(await limitOf({ OPENAI_API_KEY: "k" }, { model: "openai/gpt-unheard-of" })).toBeNull();
});
