import type { Json } from "../domain/json.ts";

export type Redact = (value: Json) => Json;

/**
 * Replaces every occurrence of a secret in every string of a value. Made once per process from the secrets it knows;
 * used inside the effect, before anything is recorded, so that a live run and its replay see the same text.
 */
export function redactor(secrets: string[]): Redact {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= 8).sort((a, b) => b.length - a.length);
  if (known.length === 0) return (value) => value;
  const clean = (text: string) => known.reduce((current, secret) => current.replaceAll(secret, "[redacted]"), text);
  const redact = (value: Json): Json => {
    if (typeof value === "string") return clean(value);
    if (Array.isArray(value)) return value.map(redact);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), redact(item)]));
  };
  return redact;
}
