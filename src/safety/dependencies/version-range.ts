type Version = [number, number, number];

/** From `low` on, below `high`; the ends of what a list allows or a request may resolve to. */
interface Range {
  low: Version;
  high: Version;
}

const LOWEST: Version = [0, 0, 0];
const HIGHEST: Version = [Infinity, 0, 0];

/** True when whatever the request may resolve to is allowed. A request that cannot be read is not. */
export function isWithin(request: string | null, allowed: string): boolean {
  const limits = readRange(allowed);
  const wanted =
    request === null || /^(\*|latest|)$/.test(request.trim()) ? { low: LOWEST, high: HIGHEST } : readRange(request);
  if (limits === undefined || wanted === undefined) return false;
  // Without a version the newest is taken: only an upper limit can then be missed.
  const low = request === null || /^(\*|latest|)$/.test(request.trim()) ? limits.low : wanted.low;
  return compare(low, limits.low) >= 0 && compare(wanted.high, limits.high) <= 0;
}

/** `*`, `==1.2.3`, `1.2.3`, `>=1,<2`, `~=1.4`, `^1.2`, `~1.2`, `v1.9.0`. */
function readRange(text: string): Range | undefined {
  let { low, high }: Range = { low: LOWEST, high: HIGHEST };
  for (const part of text.trim().split(/\s*,\s*|\s+(?=[<>=~^!])/)) {
    if (part === "*" || part === "" || part.startsWith("!=")) continue;
    const match =
      /^(===|==|=|>=|<=|>|<|~=|\^|~)?\s*v?(\d{1,9})(?:\.(\d{1,9}|\*|x))?(?:\.(\d{1,9}|\*|x))?[\w.+-]*$/.exec(part);
    if (!match) return undefined;
    const [, operator = "", major, minor, patch] = match;
    const digits = [major, minor, patch].filter((digit) => digit !== undefined && /^\d/.test(digit)).length;
    const version: Version = [number(major), number(minor), number(patch)];
    if (operator === ">=" || operator === ">") low = version;
    else if (operator === "<" || operator === "<=") high = operator === "<" ? version : bump(version, digits);
    else {
      low = version;
      if (operator === "^") high = version[0] > 0 ? [version[0] + 1, 0, 0] : [0, version[1] + 1, 0];
      else if (operator === "~" || operator === "~=")
        high = digits > 2 || operator === "~" ? [version[0], version[1] + 1, 0] : [version[0] + 1, 0, 0];
      else high = bump(version, digits);
    }
  }
  return { low, high };
}

const number = (text: string | undefined): number => (text !== undefined && /^\d/.test(text) ? Number(text) : 0);

/** The next version with as many digits: `1.2` ends before `1.3`. */
function bump([major, minor, patch]: Version, digits: number): Version {
  if (digits <= 1) return [major + 1, 0, 0];
  return digits === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function compare(a: Version, b: Version): number {
  for (let index = 0; index < 3; index += 1) {
    const [x = 0, y = 0] = [a[index], b[index]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}
