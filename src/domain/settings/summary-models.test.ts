import { expect, test } from "vitest";
import { forEachRole } from "../message.ts";
import { type Provider, type RoleModel, Settings } from "./settings.ts";
import { summaryModels } from "./summary-models.ts";

const provider: Provider = { kind: "openai-compatible", toolCalling: true };
const parameters = { maxOutputTokens: 1000 };
const settings = (own: Pick<RoleModel, "models" | "escalate">, model: string | null = null) => ({
  models: forEachRole(() => ({ ...own, parameters })),
  providers: { big: { ...provider, smallModel: "small" }, plain: provider },
  summaries: { model },
});

test("a summary is written by the named model, else by the provider's small one, and the role's own stand behind it", () => {
  expect(summaryModels("coder", settings({ models: ["big/large"] }))).toEqual(["big/small", "big/large"]);
  expect(summaryModels("coder", settings({ models: ["big/large"] }, "plain/x"))).toEqual(["plain/x", "big/large"]);
  expect(summaryModels("coder", settings({ models: ["plain/only"] }))).toEqual(["plain/only"]);
  expect(summaryModels("coder", settings({ models: ["big/small"] }))).toEqual(["big/small"]);
});

test("the first of a ladder is cheap already", () => {
  const ladder = { models: ["big/medium", "big/large"], escalate: true };
  expect(summaryModels("coder", settings(ladder))).toEqual(["big/medium", "big/large"]);
});

test("settings of before have no summaries", () => {
  expect(Settings.shape.summaries.parse(undefined)).toBeUndefined();
});
