import { z } from "zod";
import { EvidenceDocument } from "../../src/domain/evidence/evidence-document.ts";

// The page may not make code out of text, and need not: it is read once.
z.config({ jitless: true });

/** A document that is not as evidence is written is refused with the first place where it differs. */
export function parseEvidence(name: string, value: unknown): EvidenceDocument {
  const { data, error } = EvidenceDocument.safeParse(value);
  if (data) return data;
  const [issue] = error?.issues ?? [];
  const where = issue && issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
  throw new Error(`${name} is no evidence of Miracle${where}: ${issue?.message ?? "it has another form"}`);
}
