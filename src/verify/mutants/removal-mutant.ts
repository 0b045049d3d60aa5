import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { readScript } from "../../languages/javascript/read-script.ts";
import type { SourceFile } from "../../languages/language.ts";

/** A part of a file, as `slice` takes it. */
interface RemovedPart {
  kind: "class" | "statement" | "import" | "docs";
  from: number;
  to: number;
  span: { start: number; end: number };
}

/**
 * A part that has nothing smaller to change (an import, the head of a class) is taken away as a whole, or given a name
 * that nobody knows: who needs it notices.
 */
export function removalMutant(file: SourceFile, part: RemovedPart): Mutant | null {
  const { path, content } = file;
  const own = content.slice(part.span.start, part.span.end);
  if (own.trim() === "") return null;
  const above = content.slice(0, part.span.start);
  const isPython = path.endsWith(".py");
  // A name among others that are exported is a name like one that is imported.
  const kind = !isPython && /\bexport\s*\{[^}]*$/.test(above) ? "import" : part.kind;
  const isFirst = /\bimport\s*$/.test(above);
  const gone = mutantOf(file, part, withoutIt(own, kind, { isPython, isFirst }), "nothing");
  if (gone !== null || kind !== "class") return gone;
  // A name that the file exports elsewhere must stay: then it stands for nothing.
  return mutantOf(file, part, own.replace(/\bclass\s+([\w$]+)/, `const $1 = {}; class ${GONE}`), "nothing");
}

/** The head of a class that inherits nothing: who needs what it inherits notices. */
export function withoutBases(file: SourceFile, part: RemovedPart): Mutant | null {
  const own = file.content.slice(part.span.start, part.span.end);
  const bare = file.path.endsWith(".py")
    ? own.replace(/(\bclass\s+\w+\s*)\(.*\)(\s*:)/s, "$1$2")
    : own.replace(/(\bclass(?:\s+[\w$]+)?)\s+extends\b[^{]*/, "$1 ");
  return mutantOf(file, part, bare, bare.trim().split("\n").at(-1) ?? "");
}

function mutantOf({ path, content }: SourceFile, part: RemovedPart, replacement: string, said: string): Mutant | null {
  const { from: line, to, span } = part;
  const own = content.slice(span.start, span.end);
  if (replacement === own) return null;
  // What Node cannot read everybody notices, whatever was taken away.
  const isScript = /\.[cm]?[jt]s$/i.test(path);
  if (
    isScript &&
    "unreadable" in readScript(path, content.slice(0, span.start) + replacement + content.slice(span.end))
  )
    return null;
  const id = `${path}:${line}:removal:${span.start}${said === "nothing" ? "" : ":bases"}`;
  return {
    ...{ id, path, line, statement: { from: line, to }, operator: "removal" },
    ...{ from: span.start, to: span.end, replacement },
    description: `\`${own.trim().split("\n")[0]?.slice(0, 60)}\` → ${said}`,
  };
}

const GONE = "gone_without_it";

/** `isFirst`: the name stands right behind `import`, where JavaScript has the default one. */
function withoutIt(
  own: string,
  kind: RemovedPart["kind"],
  { isPython, isFirst }: { isPython: boolean; isFirst: boolean },
): string {
  if (kind === "class") return own.replace(/\bclass\s+[\p{ID_Start}$_][\p{ID_Continue}$]*/u, `class ${GONE}`);
  const isName = kind === "import" && !/^\s*(from|import|export|const|let|var)\b/.test(own) && own.trim() !== "*";
  if (!isName) return isPython ? "pass" : ";";
  if (!isPython && isFirst && /^[\w$]+$/.test(own)) return GONE;
  return `${own.replace(/\s+as\s+[\w$]+\s*$/, "")} as ${GONE}`;
}
