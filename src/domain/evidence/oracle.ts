import { z } from "zod";

/** What a verdict can rest on, the strongest first. `change-tests`: they came with the change, whoever wrote them. */
export const Oracle = z.enum(["accept", "own-suite", "confirmed-examples", "model-tests", "change-tests"]);
export type Oracle = z.infer<typeof Oracle>;
