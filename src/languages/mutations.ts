import type { MutationOperator } from "../domain/evidence/mutant-report.ts";
import type { SyntaxNode } from "../syntax/parse.ts";

/** A node with the text it stands in and the nodes above it, nearest last. */
export interface Place {
  readonly node: SyntaxNode;
  readonly above: readonly SyntaxNode[];
  readonly text: string;
}

/** One change of the text, and the node that a person wants to see with it. */
export interface MutationEdit {
  operator: MutationOperator;
  from: number;
  to: number;
  replacement: string;
  shown: SyntaxNode;
  /** What a person is shown instead of the replacement. */
  said?: string;
  /** It is made only where nothing else in this part can be changed: so every part has a mutant, and few have many. */
  unless?: SyntaxNode;
}

/** The possible changes in programs of one grammar. Each language's folder has one. */
export interface Mutations {
  /** True for code that does nothing at run time, or has no behaviour of its own. Nothing below it is changed. */
  isLeftAlone(place: Place): boolean;
  edits(place: Place): MutationEdit[];
  /**
   * Places where a value is passed on. It becomes another value of the same type, which a test of the type alone does
   * not notice.
   */
  values?(place: Place): MutationEdit[];
  /** Functions that empty what they were given when they are done: a test that it stays as it was notices that. */
  inputs?(place: Place): MutationEdit[];
  /** Places where a value is passed on that becomes one which a looser test takes for the same. */
  alikes?(place: Place): MutationEdit[];
}

const OPPOSITES: Record<string, string> = {
  "==": "!=",
  "!=": "==",
  "===": "!==",
  "!==": "===",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
  in: "not in",
  "not in": "in",
  is: "is not",
  "is not": "is",
};

const NEIGHBOURS: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

const ARITHMETIC: Record<string, string> = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "//": "*",
  "%": "*",
  "**": "*",
  "@": "+",
  "<<": ">>",
  ">>": "<<",
  ">>>": ">>",
  "&^": "&",
  "&": "|",
  "|": "&",
  "^": "&",
};

const LOGICAL: Record<string, string> = { and: "or", or: "and", "&&": "||", "||": "&&", "??": "&&" };

/** What a single operator can become. `shown` is the expression around it. */
export function operatorEdits(token: SyntaxNode, shown: SyntaxNode, text: string): MutationEdit[] {
  const sign = textOf(token, text).replace(/\s+/g, " ");
  const edits: MutationEdit[] = [];
  const add = (operator: MutationOperator, replacement: string | undefined) => {
    if (replacement !== undefined) edits.push({ operator, from: token.from, to: token.to, replacement, shown });
  };
  add("comparison", OPPOSITES[sign]);
  add("boundary", NEIGHBOURS[sign]);
  add("arithmetic", ARITHMETIC[sign]);
  if (/^.+=$/.test(sign) && OPPOSITES[sign] === undefined) {
    const other = ARITHMETIC[sign.slice(0, -1)] ?? LOGICAL[sign.slice(0, -1)];
    add("arithmetic", other && `${other}=`);
  }
  add("condition", LOGICAL[sign]);
  return edits;
}

/** The number after this one; the same kind of number, and never in another base. */
export function nextNumber(literal: string): string | null {
  const digits = literal.replaceAll("_", "");
  if (/^\d+$/.test(digits)) return (BigInt(digits) + 1n).toString();
  if (/^\d+n$/.test(digits)) return `${BigInt(digits.slice(0, -1)) + 1n}n`;
  if (/^0[xX][0-9a-fA-F]+$/.test(digits)) return `0x${(BigInt(digits) + 1n).toString(16)}`;
  if (!/^(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?$/.test(digits)) return null;
  const next = Number(digits) + 1;
  if (next === Number(digits) || !Number.isFinite(next)) return null;
  return Number.isInteger(next) && next < 1e15 ? `${next}.0` : `${next}`;
}

export function replace(node: SyntaxNode, operator: MutationOperator, replacement: string, shown = node): MutationEdit {
  return { operator, from: node.from, to: node.to, replacement, shown };
}

/** The value is computed as before and then replaced. */
export function otherValue(value: SyntaxNode, exchange: string, shown: SyntaxNode, text: string): MutationEdit {
  const replacement = `${exchange}((${textOf(value, text)}))`;
  return { ...replace(value, "value", replacement, shown), said: "another value" };
}

/** What is empty at first is filled later, so that another value says little: it is asked where nothing else can be. */
export const whereNothingElse = (edit: MutationEdit, within: SyntaxNode | undefined): MutationEdit[] =>
  within ? [{ ...edit, unless: within }] : [];

export const textOf = ({ from, to }: SyntaxNode, text: string): string => text.slice(from, to);

export const childOf = (node: SyntaxNode, field: string): SyntaxNode | undefined =>
  node.children.find((child) => child.field === field && child.named);

const LOGGER =
  /^((self|this|cls)\.)?[_#]?((log|logger|logging)\.(debug|info|warn|warning|error|exception|critical|trace|log)|debug)$/i;
const DOES_SOMETHING = new Set([
  ...["call", "call_expression", "new_expression", "await", "await_expression", "yield", "yield_expression"],
  ...["named_expression", "assignment_expression", "update_expression", "augmented_assignment_expression"],
]);

/** What the languages bring to look at a value, and what values of theirs tell of themselves. */
const LOOKS_ONLY =
  /^((len|str|repr|int|float|bool|round|sorted|min|max|sum|type|abs|list|tuple|set|dict|String|Number|Boolean|JSON\.stringify|Object\.(keys|values|entries)|Math\.\w+)|[\s\S]*\.(join|format|keys|values|items|isoformat|toFixed|toString|toISOString))$/;

const looksOnly = (call: SyntaxNode, text: string): boolean => {
  const name = childOf(call, "function");
  return name !== undefined && LOOKS_ONLY.test(textOf(name, text));
};

/** A log line is for people, like the words of an exception, unless it does something on the way. */
export function isLogLine(statement: SyntaxNode, text: string): boolean {
  const [call, ...others] = statement.children.filter(({ named }) => named);
  if (statement.type !== "expression_statement" || !call || others.length > 0) return false;
  const name = childOf(call, "function");
  const given = childOf(call, "arguments");
  if (!name || !given || !LOGGER.test(textOf(name, text))) return false;
  const open = [...given.children];
  for (let next = open.pop(); next; next = open.pop()) {
    if (DOES_SOMETHING.has(next.type) && !looksOnly(next, text)) return false;
    open.push(...next.children);
  }
  return true;
}

const HELP = /^(help|metavar|description|epilog|short_help)$/;
const SAYING =
  /^((self|this|cls)\.)?[_#]?(console\.(debug|info|warn|error|trace)|(process|sys)\.stderr\.write|warnings\.warn|(log|logger|logging)\.\w+)$/i;

/**
 * Whether only people read a text: help of a command line, a message beside the output. Another wording is no fault,
 * and a test that insists on the wording is rarely wanted.
 */
export function isForPeople({ above, text }: Pick<Place, "above" | "text">): boolean {
  return above.some((node) => {
    if (node.type === "keyword_argument") {
      const name = childOf(node, "name");
      return name !== undefined && HELP.test(textOf(name, text));
    }
    if (node.type !== "call" && node.type !== "call_expression") return false;
    const name = childOf(node, "function");
    if (!name) return false;
    const called = textOf(name, text);
    return SAYING.test(called) || (called === "print" && /\bfile\s*=\s*sys\.stderr\b/.test(textOf(node, text)));
  });
}
