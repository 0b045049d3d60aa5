import { expect, test } from "vitest";
import type { Environment } from "../config/environment-layer.ts";
import type { ConfigFlags } from "../config/flags.ts";
import { loadConfig } from "../config/load-config.ts";
import { packageRoot } from "../config/package-root.ts";
import { resolveSettings } from "./resolve-settings.ts";

async function settings(env: Environment, flags: ConfigFlags = {}) {
  return resolveSettings(await loadConfig({ directory: "/", env, home: "/nowhere", root: packageRoot(), flags }));
}

test("the key that is present chooses the model of every role", async () => {
  const { models } = await settings({ OPENAI_API_KEY: "k" });
  expect(models.coder.models).toEqual(["openai/gpt-6.1-sol"]);
  expect(models.reflector).toEqual({ models: ["openai/gpt-6.1-sol"], parameters: { maxOutputTokens: 4000 } });
});

test("a provider alone means its default model", async () => {
  const { models } = await settings({ OPENAI_API_KEY: "k", GOOGLE_API_KEY: "g" }, { model: "google" });
  expect(models.planner.models).toEqual(["google/gemini-3.8-flash"]);
});

test("an address of one's own needs neither key nor name", async () => {
  const { models } = await settings({ OPENAI_API_KEY: "k" }, { baseUrl: "http://127.0.0.1:9/v1" });
  expect(models.coder.models).toEqual(["local/default"]);
});

test("a model whose key is missing is told with the variable to set", async () => {
  await expect(settings({}, { model: "anthropic/claude-sonnet-5-5" })).rejects.toThrow("set ANTHROPIC_API_KEY");
});
