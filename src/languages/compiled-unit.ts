import { z } from "zod";

/** A part of a file that is judged by itself, known by what the interpreter makes of it. */
export const CompiledUnit = z.object({
  /** `Cart.total`; of a statement what it gives a value to, or how it begins; of an import the name it brings. */
  name: z.string(),
  /** Docs: what a part says of itself to people, as long as no test misses it. */
  kind: z.enum(["function", "class", "statement", "import", "docs"]),
  /** Lines, counted from 1. Units may share one. */
  from: z.int().positive(),
  to: z.int().positive(),
  /** Offsets into the text, in UTF-16 units, as `slice` takes them. */
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  /** What it is compiled to, without positions: two units with the same one are the same. Empty: nothing at all. */
  code: z.string(),
  /** The same without what only people read: documentation, types that are not looked at. */
  plain: z.string(),
  /** Names that it gives a value to, and that it asks for, when it is reached. */
  binds: z.array(z.string()),
  reads: z.array(z.string()),
  /** An import of a name from what comes with the language: to load it does nothing else. */
  standard: z.boolean().optional(),
  /** An import that does something when it is reached, though nothing says the name that it brings. */
  loads: z.boolean().optional(),
  /** It asks whether Python was started with -O: compiled as tests start it, that cannot be seen. */
  debug: z.boolean().optional(),
  /** A field of a class that somebody makes something of: it is more than its value. */
  field: z.boolean().optional(),
  /** A member of a class that somebody makes something of, name by name: its place among the other ones counts. */
  ordered: z.boolean().optional(),
  /** Such a member that is also known by its number: how many stand before it counts. */
  counted: z.boolean().optional(),
  /** A comment that a tool reads. */
  forTools: z.boolean().optional(),
  /** Something else than a definition happens when it is reached: then its place among others counts. */
  acts: z.boolean(),
});
export type CompiledUnit = z.infer<typeof CompiledUnit>;
