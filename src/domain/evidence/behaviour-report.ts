import { z } from "zod";

/** How the old and the new version of one function behave with the same inputs. */
export const FunctionBehaviour = z.lazy(() =>
  z.object({
    path: z.string(),
    name: z.string(),
    calls: z.int(),
    varied: z.int(),
    compared: z.int(),
    differences: z.array(
      z.object({
        call: z.string(),
        before: z.string(),
        after: z.string(),
        from: z.enum(["tests", "varied"]),
        tests: z.array(z.string()),
      }),
    ),
    outcomes: z.object({ recorded: z.int(), varied: z.int(), variedRaise: z.int() }).optional(),
    noticed: z.array(z.string()),
    problem: z.string().nullable(),
  }),
);
export type FunctionBehaviour = z.infer<typeof FunctionBehaviour>;
