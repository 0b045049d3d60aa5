import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { z } from "zod";
import { fail, type TerminalFailure } from "../domain/failure.ts";
import { ConfigFile } from "./config-file.ts";
import { didYouMean } from "./did-you-mean.ts";
import { configJsonSchema } from "./json-schema.ts";
import { otherKey } from "./other-keys.ts";

export interface ParsedFile<Value> {
  value: Value;
  /** Line of the value at this path, for `miracle config`. */
  lineOf(path: (string | number)[]): number | undefined;
}

/** A file of settings. */
export const parseYaml = (text: string, file: string): ParsedFile<ConfigFile> =>
  parseYamlAs(ConfigFile, text, file, configJsonSchema);

/** Parses and checks one file. Every problem is one line with file, line, column and what was expected. */
export function parseYamlAs<Schema extends z.ZodType>(
  shape: Schema,
  text: string,
  file: string,
  jsonSchema = (): Record<string, unknown> => ({ ...z.toJSONSchema(shape, { io: "input" }) }),
): ParsedFile<z.output<Schema>> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems = document.errors.map((error) => place(error.pos[0], oneLine(error.message)));
  if (problems.length > 0) throw refuse(problems);

  const parsed = shape.safeParse(plainValue());
  if (!parsed.success) throw refuse(parsed.error.issues.flatMap(describe));
  return {
    value: parsed.data,
    lineOf: (path) => {
      const node = nodeAt(document, path);
      return node?.range ? lines.linePos(node.range[0]).line : undefined;
    },
  };

  function plainValue(): unknown {
    try {
      return document.toJS() ?? {};
    } catch (error) {
      // Only an alias that expands without end fails here.
      throw refuse([place(0, oneLine(error instanceof Error ? error.message : String(error)))]);
    }
  }

  function describe(issue: z.core.$ZodIssue): string[] {
    const path = issue.path.map(asKey);
    if (issue.code === "unrecognized_keys") {
      const known = knownKeys(jsonSchema(), path);
      return issue.keys.map((key) => {
        const name = [...path, key].join(".");
        const hint = otherKey(name) ?? didYouMean(key, known);
        return place(keyOffset(document, path, key), `unknown key ${name}${hint}`);
      });
    }
    const what = issue.message.replace(/^Invalid input: /, "").replace(/^Invalid option: /, "");
    const name = path.join(".");
    return [place(nodeOffset(path), name === "" ? `${what} at the top of the file` : `${name}: ${what}`)];
  }

  /** A missing value is reported at the place where it belongs. */
  function nodeOffset(path: (string | number)[]): number {
    const offset = nodeAt(document, path)?.range?.[0];
    return offset ?? (path.length === 0 ? 0 : nodeOffset(path.slice(0, -1)));
  }

  function place(offset: number, message: string): string {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}: ${message}`;
  }
}

function refuse(problems: string[]): TerminalFailure {
  const [first = "", ...others] = problems;
  return fail("invalid-input", "config.invalid", first, others.length > 0 ? { detail: others.join("\n") } : undefined);
}

function nodeAt(document: Document, path: (string | number)[]): Node | null {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  return isNode(node) ? node : null;
}

function keyOffset(document: Document, path: (string | number)[], key: string): number {
  const map = nodeAt(document, path);
  if (!isMap(map)) return 0;
  for (const { key: node } of map.items) {
    if (isScalar(node) && String(node.value) === key) return node.range?.[0] ?? 0;
  }
  return 0;
}

/** The keys that the schema knows at a path. Names of providers and models lead to the schema of their values. */
function knownKeys(root: Record<string, unknown>, path: (string | number)[]): string[] {
  let schema = root;
  for (const key of path) {
    const properties = asObject(schema.properties);
    schema = asObject(typeof key === "number" ? schema.items : (properties[key] ?? schema.additionalProperties));
  }
  return Object.keys(asObject(schema.properties));
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const asKey = (key: PropertyKey): string | number => (typeof key === "symbol" ? String(key) : key);

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
