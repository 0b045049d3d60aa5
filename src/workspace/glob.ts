/**
 * Globs over relative paths with `/`: `*` and `?` within a name, `**` over names, `[abc]`, `{a,b}`. They are not turned
 * into regular expressions, so no pattern can take exponential time.
 */
export function matchesGlob(glob: string, path: string): boolean {
  const names = path.split("/");
  return expandBraces(glob).some((pattern) => matchNames(pattern.split("/"), names));
}

/** A pattern that names a directory covers everything below it. A pattern without a slash matches at any depth. */
export function matchesAny(globs: string[], path: string): boolean {
  return globs.some((glob) => {
    const trimmed = glob.replace(/\/+$/, "");
    const anywhere = trimmed.includes("/") ? trimmed.replace(/^\//, "") : `**/${trimmed}`;
    return matchesGlob(anywhere, path) || matchesGlob(`${anywhere}/**`, path);
  });
}

/** Tracks which parts of the pattern may match next, name by name. Linear in the path for each pattern. */
function matchNames(pattern: string[], names: string[]): boolean {
  let states = closure(new Set([0]), pattern);
  for (const name of names) {
    const next = new Set<number>();
    for (const state of states) {
      const part = pattern[state];
      if (part === undefined) continue;
      if (part === "**") next.add(state);
      else if (matchName(part, name)) next.add(state + 1);
    }
    states = closure(next, pattern);
    if (states.size === 0) return false;
  }
  return states.has(pattern.length);
}

function closure(states: Set<number>, pattern: string[]): Set<number> {
  for (const state of states) if (pattern[state] === "**") states.add(state + 1);
  return states;
}

/** Matches one name against one part. It only ever goes back to the last star. */
function matchName(pattern: string, name: string): boolean {
  let at = 0;
  let index = 0;
  let star = -1;
  let resume = 0;
  while (index < name.length) {
    const step = at < pattern.length ? matchCharacter(pattern, at, name.charAt(index)) : 0;
    if (pattern[at] === "*") {
      star = at++;
      resume = index;
    } else if (step > 0) {
      at += step;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}

/** How many characters of the pattern this character uses; 0: no match. */
function matchCharacter(pattern: string, at: number, character: string): number {
  const first = pattern[at];
  if (first === "?") return 1;
  if (first === "\\" && at + 1 < pattern.length) return pattern[at + 1] === character ? 2 : 0;
  if (first !== "[") return first === character ? 1 : 0;
  const end = pattern.indexOf("]", at + 2);
  if (end < 0) return character === "[" ? 1 : 0;
  let set = pattern.slice(at + 1, end);
  const negated = set.startsWith("!") || set.startsWith("^");
  if (negated) set = set.slice(1);
  let found = false;
  for (let index = 0; index < set.length; index += 1) {
    const from = set.charAt(index);
    if (set[index + 1] === "-" && index + 2 < set.length) {
      found ||= from <= character && character <= set.charAt(index + 2);
      index += 2;
    } else {
      found ||= from === character;
    }
  }
  return found === negated ? 0 : end - at + 1;
}

const MOST_EXPANSIONS = 256;

function expandBraces(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let pattern = open.pop(); pattern !== undefined; pattern = open.pop()) {
    const group = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
    if (!group || done.length + open.length > MOST_EXPANSIONS) {
      done.push(pattern);
      continue;
    }
    for (const choice of (group[1] ?? "").split(",")) {
      open.push(pattern.slice(0, group.index) + choice + pattern.slice(group.index + group[0].length));
    }
  }
  return done;
}
