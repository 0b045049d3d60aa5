import { z } from "zod";
import { Finding } from "../finding.ts";

/** What code scan, SAST and secret scan say of a finished change: only what is new against the tree it started from. */
export const ResultScan = z.lazy(() => z.object({ tree: z.string(), findings: z.array(Finding) }));
export type ResultScan = z.infer<typeof ResultScan>;
