/** What markers of requirements ask about. */
export interface MarkedMachine {
  /** `3.11`. */
  python: string;
}

/**
 * Whether a requirement with this marker counts here. A marker that cannot be read counts: then what is missing is
 * installed by pip, which reads all of them.
 */
export function markerHolds(marker: string, machine: MarkedMachine): boolean {
  if (marker.trim() === "" || /[()]/.test(marker)) return true;
  return marker.split(/\s+or\s+/).some((all) => all.split(/\s+and\s+/).every((one) => clauseHolds(one, machine)));
}

function clauseHolds(clause: string, { python }: MarkedMachine): boolean {
  const [, name = "", sign = "", value = ""] = /^\s*(\w+)\s*([<>=!~]+)\s*["']([^"']*)["']\s*$/.exec(clause) ?? [];
  if (name === "python_version" || name === "python_full_version") {
    const order = compareNumbers(python, value);
    const holds: Record<string, boolean> = {
      "<": order < 0,
      "<=": order <= 0,
      ">": order > 0,
      ">=": order >= 0,
      "==": order === 0,
      "!=": order !== 0,
    };
    return holds[sign] ?? true;
  }
  const known = VALUES[name];
  if (known === undefined) return name !== "extra";
  return sign === "!=" ? value !== known : value === known;
}

const VALUES: Partial<Record<string, string>> = {
  sys_platform: "linux",
  platform_system: "Linux",
  os_name: "posix",
  implementation_name: "cpython",
  platform_python_implementation: "CPython",
};

/** As far as the first has numbers: `3.11` is neither before nor after `3.11.4`, and comes after `3`. */
function compareNumbers(own: string, other: string): number {
  const numbers = (text: string) => text.split(".").map((part) => Number.parseInt(part, 10) || 0);
  const asked = numbers(other);
  const differences = numbers(own).map((number, index) => number - (asked[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
