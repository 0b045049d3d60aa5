import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { shippedRules } from "./shipped-rules.ts";

const Rules = z.strictObject({ word: z.string() });

test("compiled rules count only while they say what the file says and fit", async () => {
  const root = mkdtempSync(join(tmpdir(), "miracle-rules-"));
  mkdirSync(join(root, "config", "safety"), { recursive: true });
  mkdirSync(join(root, "dist"));
  const source = join(root, "config", "safety", "some.yaml");
  const compile = (compiled: unknown) =>
    writeFileSync(join(root, "dist", "safety-some.json"), JSON.stringify(compiled));

  writeFileSync(source, "word: written\n");
  expect(await shippedRules(Rules, root, "some")).toEqual({ word: "written" });
  compile({ text: "word: written\n", value: { word: "compiled" } });
  expect(await shippedRules(Rules, root, "some")).toEqual({ word: "compiled" });
  compile({ text: "word: written\n", value: { word: 7 } });
  expect(await shippedRules(Rules, root, "some")).toEqual({ word: "written" });
  compile({ text: "word: older\n", value: { word: "compiled" } });
  expect(await shippedRules(Rules, root, "some")).toEqual({ word: "written" });
});
