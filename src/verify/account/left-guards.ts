/** A word that stood within a block which keeps something while it runs, and stands outside of it, or in another one. */
export interface LeftGuard {
  guard: string;
  word: string;
}

/**
 * A `with` that gives no name is there for what happens around its block: a lock, a limit, a changed setting. Calls that
 * are made one after the other cannot tell what left it. Null where nothing did. Both are texts of one function of Python.
 */
export function leftGuard(old: string, now: string): LeftGuard | null {
  const [before, after] = [blocksOf(old), blocksOf(now)];
  for (const [guard, inside] of before.within) {
    const kept = after.within.get(guard);
    if (!kept) continue; // the whole guard went: that is asked elsewhere
    const word = [...inside].find(([name, count]) => {
      if (after.made.has(name)) return false; // what is made within it may be given on
      const lost = count - (kept.get(name) ?? 0);
      const outside = ({ all, within }: Blocks) => (all.get(name) ?? 0) - (within.get(guard)?.get(name) ?? 0);
      return lost > 0 && outside(after) > outside(before);
    });
    if (word) return { guard, word: word[0] };
    // What happened in one go happens in two.
    const isSplit = (after.times.get(guard) ?? 0) > (before.times.get(guard) ?? 0) && isSame(inside, kept);
    if (isSplit) return { guard, word: [...inside.keys()].at(-1) ?? guard };
  }
  return null;
}

type Counts = Map<string, number>;

interface Blocks {
  all: Counts;
  /** By the head of the block, for all blocks with that head together. */
  within: Map<string, Counts>;
  /** Names that are given a value within such a block. */
  made: Set<string>;
  /** How many blocks have this head. */
  times: Counts;
}

const isSame = (one: Counts, other: Counts): boolean =>
  one.size === other.size && [...one].every(([word, count]) => other.get(word) === count);

const GUARD = /^(?:async\s+)?with\s+((?:(?!\sas\s).)+):\s*(.*)$/;

function blocksOf(text: string): Blocks {
  const blocks: Blocks = { all: new Map(), within: new Map(), made: new Set(), times: new Map() };
  let open: { guard: string; indent: number }[] = [];
  for (const line of plain(text).split("\n")) {
    if (line.trim() === "") continue;
    const indent = line.length - line.trimStart().length;
    open = open.filter((one) => indent > one.indent);
    const [, guard, rest] = GUARD.exec(line.trim()) ?? [];
    const words = (guard === undefined ? line : (rest ?? "")).match(/[A-Za-z_]\w*/g) ?? [];
    if (guard !== undefined) {
      open.push({ guard, indent });
      count(blocks.times, guard);
      blocks.within.set(guard, blocks.within.get(guard) ?? new Map());
    }
    const [, made] = /^([A-Za-z_]\w*)\s*[-+*/|&]?=(?!=)/.exec(line.trim()) ?? [];
    if (made !== undefined && open.length > 0) blocks.made.add(made);
    const around = new Set(open.map((one) => one.guard));
    for (const word of words) {
      if (LITTLE.has(word)) continue;
      count(blocks.all, word);
      for (const one of around) count(blocks.within.get(one) ?? new Map(), word);
    }
  }
  return blocks;
}

/** Words that say nothing of what is done. */
const LITTLE = new Set("and as def else elif for if in is not or return self None True False".split(" "));

const count = (counts: Counts, word: string) => counts.set(word, (counts.get(word) ?? 0) + 1);

/** Without what is in quotes, and without comments. */
const plain = (text: string): string =>
  text.replace(/"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#.*/g, (part) =>
    part.startsWith("#") ? "" : '""',
  );
