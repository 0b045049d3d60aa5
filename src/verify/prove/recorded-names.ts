import { z } from "zod";

/*
 * Sets and maps by name, as they are kept in JSON: lists, in their own order.
 */

export const Names = z.codec(z.array(z.string()), z.set(z.string()), {
  decode: (names) => new Set(names),
  encode: (names) => [...names],
});

export const Counts = z.codec(z.array(z.tuple([z.string(), z.int()])), z.map(z.string(), z.int()), {
  decode: (entries) => new Map(entries),
  encode: (counts) => [...counts],
});

export const Texts = z.codec(z.array(z.tuple([z.string(), z.string()])), z.map(z.string(), z.string()), {
  decode: (entries) => new Map(entries),
  encode: (texts) => [...texts],
});
