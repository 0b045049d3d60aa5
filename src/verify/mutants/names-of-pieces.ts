import type { SourceFile } from "../../languages/language.ts";
import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import type { Piece, Versions } from "./exchange-nodes.ts";

/** The old file as it would stand if its function had called its parameters what they are called now. */
export function withNewNames({ old, now }: Versions, before: SyntaxNode, after: SyntaxNode): SourceFile {
  const [own, new_] = [textOf(old.content, before), textOf(now.content, after)];
  const [was, is] = [parametersOf(before, old.content), parametersOf(after, now.content)];
  const renamed = new Map(
    was.flatMap((name, index): [string, string][] => {
      const other = is[index];
      const isRenamed = other !== undefined && other !== name && !hasWord(new_, name) && !hasWord(own, other);
      return isRenamed ? [[name, other]] : [];
    }),
  );
  if (renamed.size === 0) return old;
  const names = [...within(before)].filter(({ type, children }) => type === "identifier" && children.length === 0);
  let content = old.content;
  for (const { from, to } of names.sort((a, b) => b.from - a.from)) {
    const other = renamed.get(old.content.slice(from, to));
    if (other !== undefined) content = content.slice(0, from) + other + content.slice(to);
  }
  return { ...old, content };
}

function parametersOf(node: SyntaxNode, text: string): string[] {
  const holder = [...within(node)].find((one) => fieldOf(one, "parameters") !== undefined);
  const given = holder && fieldOf(holder, "parameters");
  return (given?.children ?? [])
    .map((one) =>
      one.type === "identifier" ? one : (fieldOf(one, "name") ?? fieldOf(one, "pattern") ?? one.children[0]),
    )
    .flatMap((name) => (name?.type === "identifier" ? [textOf(text, name)] : []));
}

/**
 * A piece that has no successor may need names that went with it. In Python it brings what was imported along; what else
 * it lacks is said: that it fails without shows nothing of what it was for.
 */
export function withNames({ old, now }: Versions, piece: Piece): { replacement: string; lacks: string[] } {
  const nodes = (piece.dropped ?? []).flatMap((node) => [...within(node)]);
  const names = new Set(nodes.filter(({ type }) => type === "identifier").map((node) => textOf(old.content, node)));
  let { replacement } = piece;
  const lacks: string[] = [];
  for (const name of names) {
    if (hasWord(now.content, name) || !isBound(old.content, name) || isBound(replacement, name)) continue;
    const loaded = now.path.endsWith(".py") ? loadedInPlace(old.content, name) : null;
    if (loaded === null) lacks.push(name);
    else replacement = replacement.replace(wordOf(name), () => loaded);
  }
  return { replacement, lacks };
}

const wordOf = (name: string): RegExp => new RegExp(`(?<![\\w$.])${RegExp.escape(name)}(?![\\w$])`, "g");

const hasWord = (text: string, name: string): boolean => wordOf(name).test(text);

/** Not one that comes with the language. */
const isBound = (text: string, name: string): boolean => {
  const word = RegExp.escape(name);
  return new RegExp(
    `\\b(import|def|class|function|func|const|let|var|as|require)\\b.*\\b${word}\\b|^\\s*${word}\\s*:?=`,
    "m",
  ).test(text);
};

/** `from a import b` as an expression that may stand in a text between double quotes. */
function loadedInPlace(text: string, name: string): string | null {
  const word = RegExp.escape(name);
  const from = new RegExp(`^from\\s+(\\.*)([\\w.]*)\\s+import\\s+\\(?[^)\\n]*\\b${word}\\b(?!\\s+as)`, "m").exec(text);
  if (from) return `__import__('${from[2]}', globals(), locals(), ['${name}'], ${from[1]?.length ?? 0}).${name}`;
  return new RegExp(`^import\\s+${word}\\s*$`, "m").test(text) ? `__import__('${name}')` : null;
}
