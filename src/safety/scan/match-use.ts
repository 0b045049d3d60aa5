import { matchesAny } from "../../workspace/glob.ts";
import { pieceOf, pieceOfAll } from "./reading/fold-text.ts";
import type { Argument, Use } from "./reading/use.ts";
import { HOLE, UNKNOWN, type Value, wholeText } from "./reading/value.ts";
import type { CodeRule, Condition } from "./rule.ts";

interface Prepared {
  rule: CodeRule;
  matches: RegExp | null;
  conditions: Map<Condition, RegExp>;
}

/** Rules by what they look at, so that a file is read in one pass whatever their number. */
export class RuleIndex {
  readonly #exact = new Map<string, Prepared[]>();
  readonly #lastPart = new Map<string, Prepared[]>();
  readonly #within = new Map<string, Prepared[]>();
  readonly #anyText: Prepared[] = [];

  constructor(rules: readonly CodeRule[]) {
    for (const rule of rules) {
      const prepared = prepare(rule);
      if (!rule.names) this.#anyText.push(prepared);
      for (const pattern of rule.names ?? []) {
        if (pattern.startsWith("*.")) append(this.#lastPart, pattern.slice(pattern.lastIndexOf(".") + 1), prepared);
        else if (/\.\*+$/.test(pattern)) append(this.#within, pattern.replace(/\.\*+$/, ""), prepared);
        else append(this.#exact, pattern, prepared);
      }
    }
  }

  /** The rules that speak of this use. */
  match(use: Use, path: string): CodeRule[] {
    const found = new Set<CodeRule>();
    const consider = (candidates: readonly Prepared[] | undefined) => {
      for (const prepared of candidates ?? []) {
        if (!found.has(prepared.rule) && speaksOf(prepared, use, path)) found.add(prepared.rule);
      }
    };
    if (BY_TEXT.has(use.how)) consider(this.#anyText);
    if (use.how === "comment") return [...found];
    consider(this.#exact.get(use.name));
    if (this.#lastPart.size > 0 && use.name.includes(".")) {
      consider(this.#lastPart.get(use.name.slice(use.name.lastIndexOf(".") + 1)));
    }
    for (let end = use.name.lastIndexOf("."); end > 0; end = use.name.lastIndexOf(".", end - 1)) {
      // What a call gave or a list held is no longer of the module.
      if (/[()[\]]/.test(use.name.slice(end))) break;
      consider(this.#within.get(use.name.slice(0, end)));
    }
    return [...found];
  }
}

/** Uses that a rule may know by their text alone. */
const BY_TEXT = new Set<Use["how"]>(["text", "comment", "assembled", "import"]);

function prepare(rule: CodeRule): Prepared {
  const conditions = new Map<Condition, RegExp>();
  for (const condition of [...(rule.when ?? []), ...(rule.unless ?? [])]) {
    if (condition.matches !== undefined) conditions.set(condition, new RegExp(condition.matches, "is"));
  }
  return { rule, matches: rule.matches === undefined ? null : new RegExp(rule.matches, "i"), conditions };
}

function append(index: Map<string, Prepared[]>, key: string, prepared: Prepared): void {
  const known = index.get(key);
  if (known) known.push(prepared);
  else index.set(key, [prepared]);
}

function speaksOf({ rule, matches, conditions }: Prepared, use: Use, path: string): boolean {
  if (!rule.on.includes(use.how)) return false;
  if (rule.hidden && !use.hidden) return false;
  if (matches && !matches.test(use.name)) return false;
  if (rule.names && !rule.names.some((pattern) => matchesName(pattern, use.name))) return false;
  if (rule.notNames?.some((pattern) => matchesName(pattern, use.name))) return false;
  if (rule.paths && !matchesAny(rule.paths, path)) return false;
  const holds = (condition: Condition, guilty: boolean) => meets(condition, use, conditions.get(condition), guilty);
  if (rule.when && !rule.when.every((condition) => holds(condition, true))) return false;
  return !(rule.unless ?? []).some((condition) => holds(condition, false));
}

/**
 * Of several possible values one is enough to be guilty, and all are needed to be innocent. What is handed on
 * without being called may be called with anything.
 */
function meets(condition: Condition, use: Use, pattern: RegExp | undefined, guilty: boolean): boolean {
  if (use.open || (use.how !== "call" && use.how !== "assign")) return guilty;
  const chosen = choose(condition.argument, use.arguments);
  // `*rest` may hold any argument that has a place; `**options` is not suspected of what it does not show.
  const spread = use.arguments.some((argument) => argument.spread) && typeof firstOf(condition.argument) === "number";
  if (condition.is === "missing") return chosen.length === 0 && !spread;
  if (chosen.length === 0) return spread && guilty && condition.is !== "literal";
  if (condition.is === "given") return true;
  const fits = (value: Value) => fitsValue(condition, value, pattern);
  return guilty
    ? chosen.some(({ values }) => values.some(fits))
    : chosen.every(({ values, spread: many }) => !many && values.every(fits));
}

const firstOf = (selector: Condition["argument"]): string | number | undefined =>
  Array.isArray(selector) ? selector[0] : selector;

function choose(selector: Condition["argument"], args: readonly Argument[]): Argument[] {
  if (selector === "any") return [...args];
  for (const one of Array.isArray(selector) ? selector : [selector]) {
    const found =
      typeof one === "number"
        ? args.filter(({ keyword, spread }) => keyword === null && !spread)[one]
        : args.find(({ keyword }) => keyword === one);
    if (found) return [found];
  }
  return [];
}

function fitsValue(condition: Condition, value: Value, pattern: RegExp | undefined): boolean {
  if (condition.is !== undefined && !isSuch(condition.is, value)) return false;
  if (pattern && !pattern.test(shown(value))) return false;
  if (!condition.names) return true;
  return value.kind === "name" && condition.names.some((one) => matchesName(one, value.name));
}

function isSuch(is: NonNullable<Condition["is"]>, value: Value): boolean {
  switch (is) {
    case "literal":
      return value.kind === "number" || (value.kind === "text" && !value.assembled) || isLiteralList(value);
    case "not-literal":
      return !isSuch("literal", value) && value.kind !== "flag" && value.kind !== "function";
    case "built":
      return value.kind === "text" && value.text.includes(HOLE) && value.text !== HOLE;
    case "unknown":
      return value.kind === "name" || (value.kind === "text" && wholeText(value) === null);
    case "true":
      return (value.kind === "flag" && value.flag === true) || isSuch("disguised-true", value);
    case "disguised-true":
      return (
        (value.kind === "number" && value.number !== 0) ||
        (value.kind === "text" && value.text !== "") ||
        (value.kind === "list" && value.items.length > 0)
      );
    case "false":
      return (value.kind === "flag" && value.flag === false) || (value.kind === "number" && value.number === 0);
    case "none":
      return value.kind === "flag" && value.flag === null;
    default:
      return true;
  }
}

const isLiteralList = (value: Value): boolean =>
  value.kind === "list" && value.items.every((item) => item.every((one) => isSuch("literal", one)));

/** As a pattern sees it. */
function shown(value: Value): string {
  if (value.kind === "list") return value.items.slice(0, 64).map(pieceOfAll).join(" ");
  if (value.kind === "map") return [...value.entries.keys()].join(" ");
  if (value.kind === "function") return "";
  return value === UNKNOWN ? HOLE : pieceOf(value);
}

function matchesName(pattern: string, name: string): boolean {
  if (pattern.startsWith("*.")) return name.endsWith(pattern.slice(1));
  if (pattern.endsWith(".**")) return name.startsWith(pattern.slice(0, -2));
  if (pattern.endsWith(".*")) return name.startsWith(pattern.slice(0, -1)) && !name.includes(".", pattern.length - 1);
  return pattern === name;
}
