import type { Retry } from "../domain/settings/settings.ts";

/** A server that asks for a longer pause than this is not waited for: the next model is tried. */
const LONGEST_PAUSE_MS = 300_000;

/**
 * How long to wait before attempt `attempt + 1`: what the server asked for, or else exponential backoff with full jitter.
 * Null means: do not wait, give up on this model.
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
  // JavaScript reads a date into almost anything, "-5" included.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function amount(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
