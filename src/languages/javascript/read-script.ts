import { createHash } from "node:crypto";
import { SourceMap, stripTypeScriptTypes } from "node:module";
import { type Options, type Program, parse } from "acorn";

/** How the interpreter takes a file: a script is sloppy unless it says otherwise. */
type Goal = "module" | "script";

export interface ReadScript {
  program: Program;
  goal: Goal;
  /** From an offset in what was parsed to one in the text. */
  place(offset: number): number;
  /** What was parsed: the text, with blanks where types were, or what TypeScript makes of it. */
  code: string;
}

export interface UnreadScript {
  unreadable: string;
}

/** A script as Node reads it, by a parser that follows the specification. Never throws on any text. */
export function readScript(path: string, text: string): ReadScript | UnreadScript {
  try {
    const stripped = /\.[cm]?ts$/i.test(path) ? withoutTypes(text) : { code: text, place: (offset: number) => offset };
    return { ...stripped, ...parsed(path, stripped.code) };
  } catch (error) {
    if (error instanceof RangeError) return { unreadable: "it is nested deeper than we can read" };
    return { unreadable: error instanceof Error ? (error.message.split("\n")[0] ?? "") : "it cannot be read" };
  }
}

const OPTIONS: Options = { ecmaVersion: "latest", allowHashBang: true };

/** What both a script and a module could be is a script, unless the two would read it differently. */
function parsed(path: string, code: string): Pick<ReadScript, "program" | "goal"> {
  const as = (goal: Goal) =>
    parse(code, { ...OPTIONS, sourceType: goal, allowReturnOutsideFunction: goal === "script" });
  if (/\.m[jt]s$/i.test(path)) return { program: as("module"), goal: "module" };
  if (/\.c[jt]s$/i.test(path)) return { program: as("script"), goal: "script" };
  const script = attempt(() => as("script"));
  const module = attempt(() => as("module"));
  if (!module) return { program: script ?? as("module"), goal: "script" };
  if (!script) return { program: module, goal: "module" };
  if (meaningOf(script.body) !== meaningOf(module.body))
    throw new Error("it means one thing as a script and another as a module");
  return { program: script, goal: "script" };
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Types become blanks, so that every place stays; what has to be compiled (enums, namespaces) is, and mapped back. */
function withoutTypes(text: string): Pick<ReadScript, "code" | "place"> {
  const stripped = attemptStrip(text);
  if (stripped !== null && stripped.length === text.length) return { code: stripped, place: (offset) => offset };
  const code = quietly(() => stripTypeScriptTypes(text, { mode: "transform", sourceMap: true }));
  const payload = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(code)?.[1] ?? "";
  const map = new SourceMap(JSON.parse(Buffer.from(payload, "base64").toString("utf8")));
  const from = lineStarts(code);
  const to = lineStarts(text);
  return {
    code,
    place: (offset) => {
      const line = from.findLastIndex((start) => start <= offset);
      const entry = map.findEntry(line, offset - (from[line] ?? 0));
      return "originalLine" in entry ? (to[entry.originalLine] ?? 0) + entry.originalColumn : 0;
    },
  };
}

function attemptStrip(text: string): string | null {
  try {
    return quietly(() => stripTypeScriptTypes(text));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") return null;
    throw error;
  }
}

/** Node warns that the function is an experiment: that is our business, and not the person's. */
function quietly<T>(work: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Where Node begins its statements, at any depth; none where the text had to be compiled and places are not certain. */
export function statementsOf({ program, code }: ReadScript, text: string): number[] {
  const found: number[] = [];
  const open: unknown[] = code.length === text.length ? [program.body] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const isStatement = "type" in next && typeof next.type === "string" && /Statement$|Declaration$/.test(next.type);
    if (isStatement && "start" in next && typeof next.start === "number") found.push(next.start);
    for (const value of Object.values(next)) if (typeof value === "object" && value !== null) open.push(value);
  }
  return found;
}

/** Two parts with the same one are the same to the interpreter: their trees, without places and ways of writing. */
export function meaningOf(part: unknown): string {
  const text = JSON.stringify(part, function (this: unknown, key, value: unknown) {
    const isNode = typeof this === "object" && this !== null && "type" in this;
    if (isNode && (key === "start" || key === "end" || key === "raw")) return undefined;
    if (typeof value === "bigint") return { bigint: `${value}` };
    return typeof value === "number" ? { number: `${value}` } : value;
  });
  return createHash("sha256").update(text).digest("hex");
}
