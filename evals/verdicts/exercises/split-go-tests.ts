import { fieldOf, replaceAll, textOf, within } from "../../../src/syntax/nodes.ts";
import { type SyntaxNode, SyntaxParsers } from "../../../src/syntax/parse.ts";
import type { SourceText } from "./read-exercise.ts";
import type { SplitTests } from "./split-tests.ts";

type Half = "seen" | "heldOut";

interface GoFile {
  text: string;
  root: SyntaxNode;
}

const SUFFIX = "Unseen";
const parsers = new SyntaxParsers();

/**
 * Go's tests are functions over tables. Each half gets every other row of each table, and functions without one in turn.
 * Both halves are compiled with the package, so what the second declares has names of its own.
 */
export async function splitGoTests(tests: SourceText[]): Promise<SplitTests | null> {
  const files: GoFile[] = [];
  for (const { content } of tests) files.push({ text: content, root: (await parsers.parse("go", content)).root });
  const functions = files.flatMap(({ text, root }) => root.children.flatMap((node) => testName(text, node) ?? []));
  const hasTables = files.some(({ root }) => [...within(root)].some((node) => rowsOf(node).length > 1));
  const [first] = tests;
  if (!first || functions.length === 0 || (!hasTables && functions.length < 2)) return null;
  const own = (half: Half) => functions.filter((_, at) => hasTables || (at % 2 === 0) === (half === "seen"));
  const contents = {
    seen: await joined(files, "seen", own("seen")),
    heldOut: await joined(files, "heldOut", own("heldOut")),
  };
  const unseen = own("heldOut").map((name) => `${name}${SUFFIX}`);
  const groups = hasTables
    ? functions.map((name) => ({ title: titleOf(name, files), seen: [name], heldOut: [`${name}${SUFFIX}`], spare: [] }))
    : [{ title: functions.join(", "), seen: own("seen"), heldOut: unseen, spare: [] }];
  const path = first.path.replace(/_test\.go$/, "");
  return {
    groups,
    seen: { path: `${path}_test.go`, content: contents.seen },
    heldOut: { path: `${path}_unseen_test.go`, content: contents.heldOut },
    spare: null,
  };
}

/** One file of all of them, with half of the rows, and the test functions that belong to this half. */
async function joined(files: GoFile[], half: Half, functions: string[]): Promise<string> {
  const texts = files.map(({ text, root }) => {
    const kept = root.children.filter(
      (node) => !/^(package_clause|import_declaration|comment)$/.test(node.type) && belongs(text, node, functions),
    );
    return kept.map((node) => halved(text, node, half)).join("\n\n");
  });
  const body = texts.join("\n\n");
  const imports = new Set(
    files.flatMap(({ text, root }) =>
      [...within(root)].filter(({ type }) => type === "import_spec").map((node) => textOf(text, node)),
    ),
  );
  const used = [...imports].filter((spec) => new RegExp(`\\b${importName(spec)}\\.`).test(body));
  const clause =
    files.flatMap(({ text, root }) =>
      root.children.filter(({ type }) => type === "package_clause").map((node) => textOf(text, node)),
    )[0] ?? "";
  const whole = `${clause}\n\nimport (\n${used.map((spec) => `\t${spec}\n`).join("")})\n\n${body}\n`;
  return half === "seen" ? whole : await renamed(whole);
}

const importName = (spec: string): string =>
  /^(\w+) /.exec(spec)?.[1] ?? spec.replaceAll('"', "").split("/").at(-1) ?? "";

function belongs(text: string, node: SyntaxNode, functions: string[]): boolean {
  const name = node.type === "function_declaration" ? nameIn(text, node) : "";
  if (/^(Benchmark|Example|Fuzz)/.test(name) || (name !== "" && /\*testing\.[BF]\b/.test(textOf(text, node))))
    return false;
  return testName(text, node) === null || functions.includes(name);
}

function testName(text: string, node: SyntaxNode): string | null {
  const name = node.type === "function_declaration" ? nameIn(text, node) : "";
  return /^Test[A-Z0-9_]/.test(name) && name !== "TestMain" ? name : null;
}

const nameIn = (text: string, node: SyntaxNode): string => {
  const found = fieldOf(node, "name");
  return found ? textOf(text, found) : "";
};

/** The rows of a table: a list of several values in braces, each in braces of its own. */
function rowsOf(node: SyntaxNode): SyntaxNode[] {
  if (
    node.type !== "composite_literal" ||
    !/^(slice_type|implicit_length_array_type)$/.test(fieldOf(node, "type")?.type ?? "")
  )
    return [];
  const rows = fieldOf(node, "body")?.children.filter(({ named, type }) => named && type !== "comment") ?? [];
  const isStruct = (row: SyntaxNode) =>
    /^\{|literal_value/.test(row.type) || row.children.some(({ type }) => type === "literal_value");
  return rows.length > 1 && rows.every(isStruct) ? rows : [];
}

function halved(text: string, node: SyntaxNode, half: Half): string {
  const tables = [...within(node)].map(rowsOf).filter((rows) => rows.length > 0);
  const outer = tables.filter(
    (rows) =>
      !tables.some(
        (other) => other !== rows && other.some((row) => rows[0] && row.from <= rows[0].from && rows[0].to <= row.to),
      ),
  );
  const gone = outer.flatMap((rows) => rows.filter((_, at) => (at % 2 === 0) !== (half === "seen")));
  const shift = node.from;
  const edits = gone.map(({ from, to }) => ({
    from: from - shift,
    to: (text[to] === "," ? to + 1 : to) - shift,
    text: "",
  }));
  return replaceAll(textOf(text, node), edits).replace(/\n(\s*\n)+/g, "\n\n");
}

/** With another name for everything that the file declares. */
async function renamed(text: string): Promise<string> {
  const { root } = await parsers.parse("go", text);
  const declared = new Set<string>();
  for (const node of root.children) {
    if (node.type === "function_declaration") declared.add(nameIn(text, node));
    if (!/^(var|const|type)_declaration$/.test(node.type)) continue;
    for (const spec of within(node)) {
      if (!/^(var_spec|const_spec|type_spec|type_alias)$/.test(spec.type)) continue;
      for (const child of spec.children) if (child.field === "name") declared.add(textOf(text, child));
    }
  }
  const places = [...within(root)].filter(
    (node) => /^(identifier|type_identifier)$/.test(node.type) && declared.has(textOf(text, node)),
  );
  return replaceAll(
    text,
    places.map(({ to }) => ({ from: to, to, text: SUFFIX })),
  );
}

/** A function and what its rows are called. */
function titleOf(name: string, files: GoFile[]): string {
  const words = files.flatMap(({ text, root }) =>
    [...within(root)]
      .filter((node) => node.type === "keyed_element" && /^(description|name)\b/.test(textOf(text, node)))
      .flatMap((node) =>
        [...within(node)]
          .filter(({ type }) => type === "interpreted_string_literal")
          .slice(0, 1)
          .map((node) => textOf(text, node).slice(1, -1)),
      ),
  );
  return [name, ...new Set(words)].slice(0, 30).join(", ");
}
