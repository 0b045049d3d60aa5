/** Figures as people read them. */

/** Millionths of a dollar: `$1.24`, and small ones with two digits that say something. */
export function money(micros: number | null | undefined): string {
  if (micros == null) return "no price";
  const dollars = micros / 1_000_000;
  if (dollars === 0) return "$0";
  if (dollars < 0.01) return `$${dollars.toPrecision(2)}`;
  return `$${dollars.toFixed(2)}`;
}

/** `850 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return two(minutes, "min", Math.floor(seconds % 60), "s");
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? two(hours, "h", minutes % 60, "min") : two(Math.floor(hours / 24), "d", hours % 24, "h");
}

const two = (large: number, unit: string, small: number, part: string): string =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${part}`;

/** `just now`, `4 min ago`, `3 d ago`; of what is older the day. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, (now - at) / 1000);
  if (seconds < 45) return "just now";
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  if (seconds < 14 * 86_400) return `${Math.round(seconds / 86_400)} d ago`;
  return new Date(at).toISOString().slice(0, 10);
}

/** `940`, `12.4k`, `3.1M`. */
export function short(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${(count / 1000).toFixed(count < 99_500 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

export const percent = (share: number | null | undefined): string =>
  share == null ? "–" : `${Math.round(share * 100)} %`;

/** `1 test`, `2 tests`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** `14:03:22` of the reader's own clock. */
export const clock = (at: number): string => new Date(at).toTimeString().slice(0, 8);

/** The reader's own day and hour, for a tooltip. */
export const moment = (at: number): string => new Date(at).toLocaleString();
