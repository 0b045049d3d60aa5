import { fieldOf, fieldsOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode, SyntaxParsers } from "../../syntax/parse.ts";

/** A statement of a module that gives names to something. */
interface Definition {
  names: string[];
  node: SyntaxNode;
  /** Names that it uses, its parameters included: a fixture asks for others by these. */
  uses: Set<string>;
  isFixture: boolean;
}

/**
 * A conftest.py as it was, with the fixtures that the change adds and what these need. Nothing else of the change steers
 * tests: no hook, no plugin, no fixture that is used unasked, and none with a name that the old tests know.
 * `isKnown`: whether the tests of the base say this name.
 */
export async function withAddedFixtures(
  parsers: SyntaxParsers,
  before: string,
  after: string,
  isKnown: (name: string) => boolean,
): Promise<string> {
  const [old, now] = [await definitionsIn(parsers, before), await definitionsIn(parsers, after)];
  const kept = new Set(old.flatMap(({ names }) => names));
  const byName = new Map(now.flatMap((one) => one.names.map((name) => [name, one] as const)));
  const taken = new Set<Definition>();
  const take = (one: Definition): void => {
    if (taken.has(one) || one.names.some((name) => kept.has(name) || isHook(name))) return;
    taken.add(one);
    for (const name of one.uses) {
      const needed = byName.get(name);
      if (needed && !kept.has(name) && isFree(needed, after)) take(needed);
    }
  };
  for (const one of now)
    if (one.isFixture && isFree(one, after) && !one.names.some((name) => kept.has(name) || isKnown(name))) take(one);
  if (taken.size === 0) return before;
  if (await isAllOf(parsers, before, after, new Set([...taken].map(({ node }) => textOf(after, node))))) return after;
  const added = now.filter((one) => taken.has(one)).map(({ node }) => textOf(after, node));
  return `${before.trimEnd()}${before.trim() === "" ? "" : "\n\n\n"}${added.join("\n\n\n")}\n`;
}

/** Whether the new text is the old one and what was taken, and nothing else. */
async function isAllOf(
  parsers: SyntaxParsers,
  before: string,
  after: string,
  taken: ReadonlySet<string>,
): Promise<boolean> {
  const statements = async (text: string) => {
    const { root, broken } = await parsers.parse("python", text);
    return broken ? null : root.children.filter(({ type }) => type !== "comment").map((node) => textOf(text, node));
  };
  const [old, now] = [await statements(before), await statements(after)];
  if (!old || !now) return false;
  const [known, all] = [new Set(old), new Set(now)];
  return now.every((one) => known.has(one) || taken.has(one)) && old.every((one) => all.has(one));
}

const isHook = (name: string): boolean => name.startsWith("pytest_");

/** Used only by who asks for it. What else its decorator is given cannot be read: then it may not be. */
function isFree({ node, isFixture }: Definition, text: string): boolean {
  if (!isFixture) return true;
  const given = decoratorsOf(node).flatMap((decorator) => [...within(decorator)]);
  return !given.some(
    (one) =>
      one.type === "dictionary_splat" ||
      (one.type === "keyword_argument" && /^(autouse|name)$/.test(textOf(text, fieldOf(one, "name") ?? one))),
  );
}

const decoratorsOf = (node: SyntaxNode): SyntaxNode[] => node.children.filter(({ type }) => type === "decorator");

async function definitionsIn(parsers: SyntaxParsers, text: string): Promise<Definition[]> {
  const { root } = await parsers.parse("python", text);
  return root.children.flatMap((node) => {
    const names = namesOf(text, node);
    if (names.length === 0) return [];
    const uses = new Set([...within(node)].flatMap((one) => (one.type === "identifier" ? textOf(text, one) : [])));
    const isFixture = decoratorsOf(node).some((one) => /^@\s*(\w+\.)?fixture\b/.test(textOf(text, one)));
    return [{ names, node, uses, isFixture }];
  });
}

/** What a statement of a module binds. Of one that runs by conditions nobody knows: none. */
function namesOf(text: string, node: SyntaxNode): string[] {
  const name = (one: SyntaxNode | undefined) => (one ? [textOf(text, one)] : []);
  switch (node.type) {
    case "function_definition":
    case "class_definition":
      return name(fieldOf(node, "name"));
    case "decorated_definition":
      return namesOf(text, fieldOf(node, "definition") ?? node.children[0] ?? node);
    case "import_statement":
    case "import_from_statement":
      return fieldsOf(node, "name").flatMap((one) => {
        const alias = one.type === "aliased_import" ? fieldOf(one, "alias") : undefined;
        return name(alias ?? one).map((dotted) => (alias ? dotted : (dotted.split(".")[0] ?? dotted)));
      });
    case "expression_statement": {
      const [only] = node.children;
      const left = only?.type === "assignment" ? fieldOf(only, "left") : undefined;
      return left?.type === "identifier" ? name(left) : [];
    }
    default:
      return [];
  }
}
