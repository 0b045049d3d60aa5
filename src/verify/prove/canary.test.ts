import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import type { TestOutcome } from "../../domain/evidence/test-report.ts";
import { type Canary, canaryState, makeCanary } from "./canary.ts";

const canary: Canary = { file: { path: "test_p.py", content: "" }, fails: "ffff", passes: "pppp" };
const state = (outcomes: Record<string, TestOutcome>, ending: "completed" | "timeout" = "completed") =>
  canaryState(report(outcomes, { ending }), canary);

test("a report is doubted only where the test that must fail is seen not to", () => {
  expect(state({ "t::test_ffff": "failed", "t::test_pppp": "passed" })).toBe("true");
  expect(state({ "t::test_ffff": "failed" })).toBe("true");
  expect(state({ "t::test_ffff": "passed", "t::test_pppp": "passed" })).toBe("forged");
  expect(state({ "t::test_pppp": "passed" })).toBe("forged");
  expect(state({})).toBe("unknown");
  expect(state({ "t::collection": "error" })).toBe("unknown");
  expect(state({ "t::test_ffff": "passed" }, "timeout")).toBe("unknown");
});

test("it stands where the runner finds tests, under a new name each time, and loads what was changed", () => {
  const file = { kind: "file" as const, path: "src/cart.ts", id: "1", size: 1, permissions: 0o644 };
  const changed = [
    { path: "src/cart.ts", change: "modified" as const, part: "source" as const, before: file, after: file },
  ];
  const make = (runner: string) => makeCanary(runner, changed, () => null, "test/unit/cart.test.ts");
  expect(make("vitest")?.file.path).toMatch(/^test\/unit\/t[0-9a-f]{12}\.test\.ts$/);
  expect(make("vitest")?.file.content).toContain('"../../src/cart.ts"');
  expect(make("jest")?.file.content).not.toContain("import {");
  expect(make("vitest")?.fails).not.toBe(make("vitest")?.fails);
  expect(make("script")).toBeNull();
});
