import { expect, test } from "vitest";
import { bareEvidence } from "../../../test/bare-evidence.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { renderComment } from "./comment.ts";
import { renderHtml } from "./html-page.ts";
import { renderPage } from "./page.ts";

const withMutants = (survived: number) =>
  bareEvidence({
    mutants: {
      results: [],
      counts: { killed: 5, timedOut: 1, compared: 9, survived, notRun: 0, skipped: 0 },
      score: null,
      durationMs: 1,
      testRunMs: 1,
      ratio: 1,
    },
  });

test("what only the comparison noticed is not said of the tests, wherever a person reads it", () => {
  const pages = [renderPage, renderComment, (document: EvidenceDocument) => renderHtml(document, null)];
  for (const render of pages) {
    expect(render(withMutants(0))).toContain("6 of 15 noticed by tests, 9 by comparing with the old code");
    expect(render(withMutants(2))).toContain(
      "6 of 17 noticed by tests, 9 by comparing with the old code, 2 by neither",
    );
  }
});
