import { z } from "zod";

/** A question to memory: about the goal, or about red tests. */
export type Asked = { cause: "goal"; text: string; atOnce?: boolean } | { cause: "error"; errors: string[] };

const Sizes = z.lazy(() => z.array(z.object({ id: z.string(), tokens: z.int() })));

/**
 * The answer of memory: the text for the prompt, and the records in it. It is in a separate file because the search is
 * loaded late.
 */
export const Recall = z.lazy(() =>
  z.object({
    text: z.string(),
    tokens: z.int(),
    shown: Sizes,
    /** Found, but held back from this task. They are the controls that the shown records are compared with. */
    heldBack: Sizes,
  }),
);
export type Recall = z.infer<typeof Recall>;
