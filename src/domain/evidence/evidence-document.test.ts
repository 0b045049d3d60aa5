import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../config/package-root.ts";
import { EVIDENCE_FORMAT, EvidenceDocument, evidenceJsonSchema } from "./evidence-document.ts";

test("config/evidence.schema.json is what the Zod schema says (`miracle evidence --schema > config/evidence.schema.json` renews it)", () => {
  const file = JSON.parse(readFileSync(join(packageRoot(), "config", "evidence.schema.json"), "utf8"));
  expect(file).toEqual(evidenceJsonSchema());
});

test("a producer that knows only the change fills in only that", () => {
  const parsed = EvidenceDocument.parse({
    format: EVIDENCE_FORMAT,
    producer: "prove",
    at: 1,
    verdict: { status: "not-proven", summary: "no", carriedBy: [], reasons: [] },
    change: { files: [] },
    tests: [],
    suite: null,
    hashes: { baseTree: null, resultTree: null, tests: [] },
    versions: {},
    sandbox: "bubblewrap",
  });
  expect(parsed).toMatchObject({ requirements: [], approvals: [], disputes: [], mutants: null, sameModel: null });
});
