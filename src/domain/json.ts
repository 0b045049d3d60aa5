import { z } from "zod";

/** What the journal can record: plain JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const Json: z.ZodType<Json> = z.json();

/**
 * One value, one sequence of characters: keys sorted, no spaces, undefined left out, strings well-formed.
 * Hashes are taken over this text, so two equal values always have the same hash.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value.toWellFormed());
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`not JSON: ${value}`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value === "object") {
    const fields: string[] = [];
    for (const [key, item] of Object.entries(value).sort(byKey))
      if (item !== undefined) fields.push(`${JSON.stringify(key.toWellFormed())}:${canonicalJson(item)}`);
    return `{${fields.join(",")}}`;
  }
  throw new TypeError(`not JSON: ${typeof value}`);
}

/** The value as it will be read back: undefined fields gone, keys sorted, strings well-formed. */
export function plainJson(value: unknown): Json {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number" && Number.isFinite(value)) return value === 0 ? 0 : value;
  if (Array.isArray(value)) return value.map((item) => plainJson(item ?? null));
  if (typeof value === "object") {
    const plain: [string, Json][] = [];
    for (const [key, item] of Object.entries(value).sort(byKey))
      if (item !== undefined) plain.push([key.toWellFormed(), plainJson(item)]);
    return Object.fromEntries(plain);
  }
  throw new TypeError(`not JSON: ${typeof value === "number" ? value : typeof value}`);
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);

/** For untrusted text: undefined where it is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
