import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";

/**
 * Nothing lies around an edge: an empty list, nothing at all, zero, or a value that the old code compared with, where it
 * went another way. To answer an edge is no answer to one test alone, though no other input behaves otherwise. Where
 * another argument had to have the very value of the test, it is one; beside a value that is not nothing, the state of
 * an object and the parts of an argument count as well.
 */
export function isEdge(
  call: string,
  { path, name, narrow }: Pick<FunctionBehaviour, "path" | "name" | "narrow">,
  bounds: readonly string[],
): boolean {
  const given = argumentsOf(call, path.endsWith(".py") && name.includes(".") ? 1 : 0);
  const known = new Set(bounds.map(sameValue));
  const isNothing = ({ said }: Given) => EDGE.test(said);
  const isBound = (one: Given) => isNothing(one) || known.has(sameValue(one.said));
  const among = (is: (one: Given) => boolean, counts: (place: string) => boolean) => {
    const edges = given.filter(is).map(({ place }) => place);
    return edges.length > 0 && narrow.filter(counts).every((place) => edges.includes(place));
  };
  return among(isNothing, (place) => /^argument \d+$/.test(place)) || among(isBound, () => true);
}

interface Given {
  /** As the comparison calls it: `argument 2`, `argument sep`. */
  place: string;
  said: string;
}

const EDGE = /^(\[\]|\(\)|\{\}|''|""|b''|0(\.0)?|None|null|undefined|NaN|set\(\))$/;

/** `7` and `0` of `f(7, 0)`. Methods of Python count from the object itself. */
function argumentsOf(call: string, before: number): Given[] {
  let parts = [""];
  let depth = 0;
  for (const [token] of call.replace(/\)$/, "").matchAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|./gs)) {
    if (token === "(" && depth === 0) parts = [""];
    if ("([{".includes(token)) depth += 1;
    if (")]}".includes(token)) depth -= 1;
    if (token === "," && depth === 1) parts.push("");
    else if (token !== "(" || depth > 1) parts.push((parts.pop() ?? "") + token);
  }
  return parts.map((part, index) => {
    const [, name, said = ""] = /^(?:(\w+)=)?(.*)$/s.exec(part.trim()) ?? [];
    return { place: `argument ${name ?? index + 1 + before}`, said };
  });
}

const TOKEN = /'[^'\\\n]*'|"[^"\\\n]*"|\d[\d_]*(?:\.\d+)?|[A-Za-z_$][\w$]*|[=!]==?|[<>]=|=>|->|<<|>>|\S/g;
const COMPARES = new Set(["==", "===", "!=", "!==", "<", "<=", ">", ">="]);

/**
 * The values that the old version of a part compares with; a name stands for the one value that the old file gives it.
 * Only the base is read, which nobody wrote for these tests.
 */
export function boundsIn(unit: string, file: string): string[] {
  const tokens = [...unit.matchAll(TOKEN)].map(([token]) => token);
  const beside = tokens.flatMap((token, index) => {
    if (!COMPARES.has(token)) return [];
    const [after = "", next = ""] = tokens.slice(index + 1);
    return [tokens[index - 1] ?? "", after === "-" ? `-${next}` : after];
  });
  return [...new Set(beside.flatMap((said) => (/^[A-Za-z_$]/.test(said) ? namedValue(said, file) : said)))].filter(
    (said) => /^(-?\d|['"])/.test(said),
  );
}

function namedValue(name: string, file: string): string[] {
  const given = new RegExp(
    `^(?:export\\s+)?(?:const\\s+)?${RegExp.escape(name)}(?:\\s*:[^=\\n]+)?\\s*=\\s*(.+?);?\\s*$`,
    "gm",
  );
  const found = [...file.matchAll(given)].flatMap(([, value]) => value ?? []);
  return found.length === 1 ? found : [];
}

/** `100`, `100.0` and `1_00` are one value, and so is a text in either kind of quotes. */
function sameValue(said: string): string {
  const number = Number(said.replace(/(?<=\d)_(?=\d)/g, ""));
  if (said !== "" && !Number.isNaN(number)) return String(number);
  return said.replace(/^"(.*)"$/s, "'$1'");
}
