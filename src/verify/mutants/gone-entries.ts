import { readJson } from "../../domain/json.ts";

/**
 * A text of data with each entry that is gone from it put back beside the others, one at a time: that something new is
 * missed says nothing of what had to make way for it. An entry is known by its name: a field of JSON, or what a line begins
 * with.
 */
export function withGoneEntries(path: string, content: string, before: string): string[] {
  return path.endsWith(".json") ? fieldsBack(readJson(before), readJson(content)) : linesBack(before, content);
}

function fieldsBack(old: unknown, now: unknown): string[] {
  return [...goneFrom(old, now)].map((whole) => `${JSON.stringify(whole, null, 2)}\n`);
}

function* goneFrom(old: unknown, now: unknown): Generator<unknown> {
  if (isTable(old) && isTable(now)) {
    for (const [name, value] of Object.entries(old)) {
      if (!Object.hasOwn(now, name)) yield { ...now, [name]: value };
      else for (const inner of goneFrom(value, now[name])) yield { ...now, [name]: inner };
    }
  } else if (Array.isArray(old) && Array.isArray(now)) {
    const names = new Set(now.map(nameOf));
    for (const one of old) if (!names.has(nameOf(one))) yield [...now, one];
    for (const [index, one] of now.entries()) {
      const own = old.find((other) => nameOf(other) === nameOf(one));
      for (const inner of goneFrom(own, one)) yield now.with(index, inner);
    }
  }
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of an object its first field: what else it says may be what changed. */
const nameOf = (value: unknown): string => JSON.stringify(isTable(value) ? Object.entries(value)[0] : value) ?? "";

function linesBack(before: string, content: string): string[] {
  const now = content.split("\n");
  const names = new Set(now.map(beginOf));
  return before.split("\n").flatMap((line, index) => {
    const name = beginOf(line);
    return name === "" || names.has(name) ? [] : [now.toSpliced(Math.min(index, now.length), 0, line).join("\n")];
  });
}

const beginOf = (line: string): string => /[\p{L}\p{N}_.-]+/u.exec(line)?.[0] ?? "";
