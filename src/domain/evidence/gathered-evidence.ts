import { z } from "zod";
import { Superseded } from "../plan/spec.ts";
import { EvidenceDocument } from "./evidence-document.ts";
import { Oracle } from "./oracle.ts";

/**
 * What a task knows of its evidence when it ends: the part of the document that is not about where and with what it was
 * made. The input of the step `evidence` and an event, so it is a format like the document itself.
 */
export const GatheredEvidence = z.lazy(() =>
  EvidenceDocument.unwrap()
    .pick({
      account: true,
      requirements: true,
      tests: true,
      suite: true,
      accept: true,
      checks: true,
      integrity: true,
      mutants: true,
      sharpened: true,
      speed: true,
      witness: true,
      coverage: true,
      flakes: true,
      scans: true,
      disputes: true,
      amended: true,
      replaced: true,
      notChecked: true,
    })
    .extend({
      tree: z.string(),
      carriedBy: z.array(Oracle),
      /** Tests of the project that turned red because the goal says so; listed before coding. */
      superseded: z.array(Superseded).optional(),
    }),
);
export type GatheredEvidence = z.infer<typeof GatheredEvidence>;
