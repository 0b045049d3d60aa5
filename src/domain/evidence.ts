import { z } from "zod";
import { TestOutcome } from "./test-report.ts";

/** Why a result may be believed: each requirement with its tests and what they did before and after the change. */
export const Evidence = z.lazy(() =>
  z.object({
    tree: z.string(),
    requirements: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        assumption: z.boolean(),
        /** `red-to-green`: a test shows that the change did it. `held`: it was true before and still is. */
        support: z.enum(["red-to-green", "held", "none"]),
        tests: z.array(z.object({ id: z.string(), before: z.enum(["red", "passed"]), after: TestOutcome })),
      }),
    ),
    suite: z.object({
      before: z.object({ passed: z.int(), red: z.int() }).nullable(),
      after: z.object({ passed: z.int(), red: z.int() }).nullable(),
    }),
    /** The commands the person accepts as proof. */
    accept: z.array(z.object({ command: z.string(), passed: z.boolean(), ending: z.string() })),
  }),
);
export type Evidence = z.infer<typeof Evidence>;
