const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** Milliseconds of `500ms`, `90s`, `10m` or `2h`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  const milliseconds = Math.round(Number(amount) * (UNITS[unit ?? ""] ?? Number.NaN));
  return milliseconds > 0 ? milliseconds : undefined;
}
