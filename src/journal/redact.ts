import type { Json } from "../domain/json.ts";

export type Redact = (value: Json) => Json;

/**
 * Replaces every secret in every string of a value. A value without secrets is returned unchanged. It is made once per
 * process from the known secrets, and used inside the effect, before anything is recorded. So a live run and its replay
 * see the same text.
 */
export function redactor(secrets: string[]): Redact {
  // The JSON text of a tool's arguments holds a secret of several lines in escaped form.
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const known = [...new Set(forms)].filter((secret) => secret.length >= 8).sort((a, b) => b.length - a.length);
  if (known.length === 0) return (value) => value;
  const clean = (text: string) => known.reduce((current, secret) => current.replaceAll(secret, "[redacted]"), text);
  const redact = (value: Json): Json => {
    if (typeof value === "string") return clean(value);
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) {
      const items = value.map(redact);
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    const entries = Object.entries(value);
    const redacted = entries.map(([key, item]): [string, Json] => [clean(key), redact(item)]);
    const same = redacted.every(([key, item], index) => key === entries[index]?.[0] && item === entries[index]?.[1]);
    return same ? value : Object.fromEntries(redacted);
  };
  return redact;
}
