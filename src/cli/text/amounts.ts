/** Amounts as people read them. */

export function money(micros: number | null): string {
  if (micros === null) return "no price";
  const dollars = micros / 1_000_000;
  if (dollars > 0 && dollars < 0.01) return `$${dollars.toFixed(4)}`;
  return `$${dollars.toFixed(2)}`;
}

/** What was spent: nothing is not told as a price. */
export const cost = (micros: number | null): string => (micros === 0 ? "free" : money(micros));

export function tokens(count: number): string {
  if (count < 1000) return `${count} tokens`;
  if (count < 1_000_000) return `${(count / 1000).toFixed(1)}k tokens`;
  return `${(count / 1_000_000).toFixed(2)}M tokens`;
}

export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return `${h}h ${String(m).padStart(2, "0")}m`;
  if (m > 0) return `${m}m ${String(s).padStart(2, "0")}s`;
  return `${s}s`;
}

/** How long ago, coarsely. */
export function age(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return `${Math.floor(minutes / 1440)} days ago`;
}

export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${grouped(number)} ${number === 1 ? singular : plural}`;

/** 12,345. Not by `toLocaleString`: loading its tables takes 15 ms. */
export const grouped = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
