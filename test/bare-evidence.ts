import { EVIDENCE_FORMAT, EvidenceDocument } from "../src/domain/evidence/evidence-document.ts";

/** For tests: evidence of a change of nothing, but for what is given. */
export const bareEvidence = (given: Partial<Record<keyof EvidenceDocument, unknown>>): EvidenceDocument =>
  EvidenceDocument.parse({
    format: EVIDENCE_FORMAT,
    producer: "prove",
    at: 0,
    verdict: { status: "checked", summary: "checked", carriedBy: [], reasons: [] },
    change: { files: [] },
    tests: [],
    suite: null,
    hashes: { baseTree: null, resultTree: null, tests: [] },
    versions: {},
    sandbox: "bubblewrap",
    ...given,
  });
