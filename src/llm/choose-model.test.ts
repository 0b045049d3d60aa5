import { expect, test } from "vitest";
import { TerminalFailure } from "../domain/failure.ts";
import type { Provider } from "../domain/settings/settings.ts";
import { chooseModel } from "./choose-model.ts";

const defaults = { toolCalling: true };
const providers: Record<string, Provider> = {
  openai: { ...defaults, kind: "openai", defaultModel: "large" },
  anthropic: { ...defaults, kind: "anthropic", defaultModel: "wise" },
  gateway: { ...defaults, kind: "openai-compatible", baseUrl: "http://gateway/v1", keyVariable: "GATEWAY_KEY" },
  ollama: { ...defaults, kind: "openai-compatible", baseUrl: "http://localhost:11434/v1" },
};

function choose(keys: string[], wanted?: string): string {
  try {
    return chooseModel({ providers, hasKey: (variable) => keys.includes(variable), wanted });
  } catch (error) {
    if (error instanceof TerminalFailure) return `${error.failure.code}: ${error.message}`;
    throw error;
  }
}

test("without a wish the first provider with a key answers with its default model", () => {
  expect(choose(["ANTHROPIC_API_KEY"])).toBe("anthropic/wise");
  expect(choose(["ANTHROPIC_API_KEY", "OPENAI_API_KEY"])).toBe("openai/large");
});

test("without a wish and a key one line says what to set", () => {
  expect(choose([])).toBe(
    "model.no-key: no model can be reached: set OPENAI_API_KEY, ANTHROPIC_API_KEY or GATEWAY_KEY, or run a local server and pass --model ollama/NAME",
  );
});

test("the wanted model is taken, its name with slashes and all", () => {
  expect(choose([], "ollama/library/qwen:7b")).toBe("ollama/library/qwen:7b");
  expect(choose(["OPENAI_API_KEY"], "openai")).toBe("openai/large");
  expect(choose(["GATEWAY_KEY"], "gateway/x")).toBe("gateway/x");
});

test("a wish that cannot be met is explained", () => {
  expect(choose([], "openai/large")).toBe("model.no-key: --model openai/large needs a key: set OPENAI_API_KEY");
  expect(choose([], "gpt")).toMatch(/^model\.no-provider: .*known providers are openai, anthropic/);
  expect(choose([], "constructor/x")).toMatch(/^model\.no-provider/);
  expect(choose([], "ollama")).toMatch(/^model\.unknown: .*ollama\/NAME/);
});
