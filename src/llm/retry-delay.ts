import type { Retry } from "../domain/settings/settings.ts";

/** If a server asks for a longer pause, we do not wait but try the next model. */
const LONGEST_PAUSE_MS = 300_000;

/**
 * How long to wait before attempt `attempt + 1`: the server's wish, or else exponential backoff with full jitter. Null
 * means: give up on this model.
 */
export function retryDelay(
  attempt: number,
  askedMs: number | undefined,
  retry: Retry,
  random: () => number,
): number | null {
  if (askedMs !== undefined) return askedMs > Math.max(retry.maxMs, LONGEST_PAUSE_MS) ? null : askedMs;
  return Math.floor(random() * Math.min(retry.maxMs, retry.baseMs * 2 ** (attempt - 1)));
}

/** `retry-after-ms`, or `retry-after` as seconds or as a date. */
export function askedDelay(headers: Record<string, string>, now: number): number | undefined {
  const milliseconds = amount(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return Math.ceil(milliseconds);
  const text = headers["retry-after"]?.trim();
  if (!text) return undefined;
  const seconds = amount(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  // `Date.parse` accepts almost anything, even "-5".
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function amount(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
