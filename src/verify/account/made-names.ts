/** Puts names together, or lists those of a module or an object, while it runs. */
const PYTHON = /\b(?:globals|locals|vars|dir|eval|exec|getmembers)\(|\bFire\(\s*\)|\b__dict__\b|\bsys\.modules\[/;
const PYTHON_ASKS = /\b(?:getattr|attrgetter|methodcaller)\(/g;
/** Names of a module of JavaScript can only be asked for where they are properties as well. */
const SCRIPT = /\beval\(|\bnew Function\(|\b(?:window|globalThis|global|self|exports)\[(?!["'`])/;
const SCRIPT_MEMBER =
  /\bthis\[(?!["'\d])|[\w$)]\[(?!["'\d])[^\]\n]+\]\s*(?:\?\.)?\(|\bgetOwnPropertyNames\(|\bReflect\./;

/** Whether this code may speak of any name that it can reach, though it does not say it. */
export function makesNames(path: string, text: string, isMember: boolean): boolean {
  if (!path.endsWith(".py")) return SCRIPT.test(text) || (isMember && SCRIPT_MEMBER.test(text));
  if (PYTHON.test(text)) return true;
  return [...text.matchAll(PYTHON_ASKS)].some(({ 0: said, index }) => {
    const [first = "", second = ""] = firstArguments(text, index + said.length);
    return !/^\s*["'][\w.]*["']\s*$/.test(said.startsWith("getattr") ? second : first);
  });
}

const FRAGMENTS = [
  // "on_" + kind, "on_%s" % kind, f"on_{kind}", `on_${kind}`
  /["'`]([A-Za-z_]\w+)(?:["'`]\s*\+|%[sd]|\{|\$\{)/g,
  // kind + "_handler", f"{kind}_handler"
  /(?:\+\s*["'`]|\}|%s)(\w{2,})["'`]/g,
] as const;

/** Whether a name may be one that is put together here. */
export function mayMake(text: string, name: string): boolean {
  const [begins, ends] = FRAGMENTS.map((one) => [...text.matchAll(one)].flatMap((found) => found[1] ?? []));
  return (begins ?? []).some((one) => name.startsWith(one)) || (ends ?? []).some((one) => name.endsWith(one));
}

/** The first two arguments of a call, from behind its bracket. */
function firstArguments(text: string, from: number): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text.slice(from, from + LONGEST_CALL)) {
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (depth < 0 || parts.length > 2) break;
    if (character === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${character}`);
  }
  return parts;
}

const LONGEST_CALL = 400;
