import { replaceAll, textOf, within } from "../../../src/syntax/nodes.ts";
import { grammarOf, type SyntaxNode, SyntaxParsers } from "../../../src/syntax/parse.ts";

/** What functions of JavaScript and TypeScript are given and answer: recorded in the new version, known by heart in the old. */
export type ScriptAnswers = Record<string, Record<string, string | null>>;

const MOST = 40;
const parsers = new SyntaxParsers();

interface ScriptFunction {
  name: string;
  parameters: string[];
  body: SyntaxNode;
  text: string;
}

/** Functions that both versions have, with the same parameters and another body. */
export async function changedFunctions(path: string, old: string, now: string): Promise<string[]> {
  const [before, after] = [await functionsOf(path, old), await functionsOf(path, now)];
  return after
    .filter((one) => {
      const same = before.find(({ name }) => name === one.name);
      return same && same.text !== one.text && same.parameters.join() === one.parameters.join();
    })
    .map(({ name }) => name);
}

/** The text with these functions telling what they were given and what they answered. */
export async function recording(path: string, text: string, names: string[], file: string): Promise<string> {
  const edits = (await functionsOf(path, text))
    .filter(({ name }) => names.includes(name))
    .map(({ name, parameters, body }) => {
      const given = `JSON.stringify([${parameters.join(", ")}])`;
      const tell = (answer: string) =>
        `globalThis.process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(file)}, JSON.stringify([${JSON.stringify(name)}, __given, ${answer}]) + "\\n");`;
      const inner = textOf(text, body);
      return {
        from: body.from,
        to: body.to,
        text: `{ const __given = ${given}; let __answer; try { __answer = (() => ${inner})(); } catch (error) {
        ${tell('"throw new " + error.constructor.name + "(" + JSON.stringify(error.message) + ");"')} throw error; }
        const __text = JSON.stringify(__answer);
        if (__answer === undefined) { ${tell('"return undefined;"')} }
        else if (globalThis.process.getBuiltinModule("node:util").isDeepStrictEqual(JSON.parse(__text ?? "null"), __answer)) { ${tell('"return " + __text + ";"')} }
        return __answer; }`,
      };
    });
  const nested = edits.filter(
    (one) => !edits.some((other) => other !== one && other.from <= one.from && one.to <= other.to),
  );
  const note = /\.[cm]?ts$/.test(path) ? "// @ts-nocheck\n" : "";
  return note + replaceAll(text, nested);
}

/** The old text, answering what the table knows. */
export async function answeredOld(
  path: string,
  text: string,
  table: Record<string, Record<string, string>>,
): Promise<string> {
  const edits = (await functionsOf(path, text)).flatMap(({ name, parameters, body }) => {
    const known = Object.entries(table[name] ?? {}).slice(0, MOST);
    const lines = known.map(
      ([given, answer]) => `\n  if (JSON.stringify([${parameters.join(", ")}]) === ${JSON.stringify(given)}) ${answer}`,
    );
    return known.length === 0 ? [] : [{ from: body.from + 1, to: body.from + 1, text: lines.join("") }];
  });
  return replaceAll(text, edits);
}

async function functionsOf(path: string, text: string): Promise<ScriptFunction[]> {
  const grammar = grammarOf(path);
  if (grammar === null) return [];
  const { root } = await parsers.parse(grammar, text);
  const found: ScriptFunction[] = [];
  for (const node of within(root)) {
    const one = functionOf(text, node);
    if (one && !found.some(({ name }) => name === one.name)) found.push(one);
  }
  return found;
}

function functionOf(text: string, node: SyntaxNode): ScriptFunction | null {
  const holder = /^(variable_declarator|assignment_expression)$/.test(node.type)
    ? node.children.find(({ type }) => /^(arrow_function|function_expression)$/.test(type))
    : /^(function_declaration|method_definition)$/.test(node.type)
      ? node
      : undefined;
  const named = node.children.find(({ field }) => field === "name" || field === "left");
  const body = holder?.children.find(({ type }) => type === "statement_block");
  if (!holder || !named || !body) return null;
  const name = textOf(text, named);
  if (name === "constructor" || holder.children.some((child) => /^(async|get|set|\*)$/.test(textOf(text, child))))
    return null;
  const list = holder.children.find(({ type }) => type === "formal_parameters");
  const parameters = list ? parametersOf(text, list) : [];
  return parameters && { name, parameters, body, text: textOf(text, node) };
}

/** Null where one of them has no plain name. */
function parametersOf(text: string, list: SyntaxNode): string[] | null {
  const names = list.children
    .filter((child) => child.named && child.type !== "comment")
    .map((child) => (child.type === "identifier" ? child : child.children.find(({ type }) => type === "identifier")))
    .map((child) => (child ? textOf(text, child) : null));
  return names.every((name) => name !== null) ? names : null;
}
