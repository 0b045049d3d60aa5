/** `v24.1.0` is 24; null for what is no version. */
export function majorVersion(version: string): number | null {
  const found = /^v?(\d+)(\.|$)/.exec(version.trim())?.[1];
  return found === undefined ? null : Number(found);
}
