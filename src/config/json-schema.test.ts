import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configJsonSchema } from "./json-schema.ts";
import { packageRoot } from "./package-root.ts";

test("config/schema.json is what the Zod schema says (`miracle config --schema > config/schema.json` renews it)", () => {
  const file = JSON.parse(readFileSync(join(packageRoot(), "config", "schema.json"), "utf8"));
  expect(file).toEqual(configJsonSchema());
});
