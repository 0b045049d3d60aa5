import { z } from "zod";

/** What is asked of memory: what the work is about, or what is red. */
export type Asked = { cause: "goal"; text: string; atOnce?: boolean } | { cause: "error"; errors: string[] };

const Sizes = z.lazy(() => z.array(z.object({ id: z.string(), tokens: z.int() })));

/** What memory had to say: the text for the prompt, and which records it is of. Apart from what finds it, which is loaded late. */
export const Recall = z.lazy(() =>
  z.object({
    text: z.string(),
    tokens: z.int(),
    shown: Sizes,
    /** Found, and kept from this task: what happens without them is what the others are compared with. */
    heldBack: Sizes,
  }),
);
export type Recall = z.infer<typeof Recall>;
