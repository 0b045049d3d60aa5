import { isBuiltin } from "node:module";
import type {
  AnyNode,
  Class,
  ExportNamedDeclaration,
  Identifier,
  ImportDeclaration,
  Program,
  VariableDeclaration,
} from "acorn";
import { lineCounter } from "../../syntax/line-counter.ts";
import type { CompiledUnit } from "../compiled-unit.ts";
import { meaningOf, type ReadScript } from "./read-script.ts";
import { isFunctionValue, isQuiet, isRequired, readsOf } from "./script-order.ts";

type Named = Pick<CompiledUnit, "name" | "kind"> & Partial<Pick<CompiledUnit, "binds" | "reads" | "acts" | "standard">>;

/**
 * The units of a script or module: functions, methods, heads of classes, statements, and each imported name. A unit is
 * known by its tree and by whether it is strict: a directive counts for everything below it.
 */
export function scriptUnits(read: ReadScript, text: string): CompiledUnit[] {
  return new UnitReader(read, text).units;
}

class UnitReader {
  readonly units: CompiledUnit[] = [];
  readonly #read: ReadScript;
  readonly #text: string;
  readonly #lineOf: (offset: number) => number;
  #mode: string;

  constructor(read: ReadScript, text: string) {
    this.#read = read;
    this.#text = text;
    this.#lineOf = lineCounter(text);
    const isStrict = read.goal === "module" || hasDirective(read.program);
    this.#mode = isStrict ? "strict" : "sloppy";
    for (const node of read.program.body) this.#statement(node);
    if (text.length === read.code.length) this.#erased();
    else this.#stretch();
  }

  /** What is nothing but types is a unit of which nothing is left. */
  #erased(): void {
    const { code } = this.#read;
    const spans = this.units.map(({ start, end }) => ({ start, end })).sort((a, b) => a.start - b.start);
    let at = 0;
    for (const { start, end } of [...spans, { start: this.#text.length, end: this.#text.length }]) {
      const gap = Array.from({ length: Math.max(0, start - at) }, (_, index) => at + index);
      const gone = gap.filter((place) => this.#text[place] !== code[place]);
      const [first, last] = [gone[0], gone.at(-1)];
      if (first !== undefined && last !== undefined) this.#typesOnly(first, last + 1);
      at = Math.max(at, end);
    }
  }

  /** Places of compiled code are known by their beginnings only: a unit goes on until the next one begins. */
  #stretch(): void {
    const units = this.units.toSorted((a, b) => a.start - b.start);
    for (const [index, unit] of units.entries()) {
      const next = units[index + 1]?.start ?? this.#text.length;
      unit.end = Math.max(unit.end, unit.start + this.#text.slice(unit.start, next).trimEnd().length);
      unit.to = this.#lineOf(Math.max(unit.start, unit.end - 1));
    }
    const first = units[0]?.start ?? this.#text.length;
    if (this.#text.slice(0, first).trim() !== "") this.#typesOnly(0, first);
  }

  #typesOnly(start: number, end: number): void {
    const said = this.#text.slice(start, end);
    const name = (said.trim().split("\n")[0] ?? "").slice(0, LONGEST_NAME);
    const [from, to] = [this.#lineOf(start), this.#lineOf(Math.max(start, end - 1))];
    const code = meaningOf(said.replace(/\s+/g, " "));
    const nothing = { plain: "", binds: [], reads: [], acts: false };
    this.units.push({ name, kind: "statement", from, to, start, end, code, ...nothing });
  }

  #statement(node: Program["body"][number]): void {
    if (node.type === "ImportDeclaration") this.#imported(node);
    else if (node.type === "ExportNamedDeclaration" && node.declaration)
      this.#declared(node.declaration, node, "export");
    else if (node.type === "ExportNamedDeclaration" && node.specifiers.length > 0) this.#exported(node);
    else if (node.type === "ExportAllDeclaration" || node.type === "ExportNamedDeclaration")
      this.#add(node, { name: this.#firstLine(node), kind: "import", acts: false }, node);
    else if (node.type === "ExportDefaultDeclaration") this.#exportedDefault(node.declaration, node);
    else if (node.type !== "EmptyStatement") this.#declared(node, node, "");
  }

  /** Imports run before everything else, wherever they stand. */
  #imported(node: ImportDeclaration): void {
    if (node.specifiers.length === 0)
      this.#add(node, { name: `import ${this.#said(node.source)}`, kind: "import", acts: false }, node);
    for (const one of node.specifiers) {
      const { name } = one.local;
      const standard = hasName(String(node.source.value), one);
      this.#add(one, { name, kind: "import", binds: [name], acts: false, standard }, { ...node, specifiers: [one] });
    }
  }

  #exported(node: ExportNamedDeclaration): void {
    for (const one of node.specifiers) {
      const kind = node.source ? "import" : "statement";
      const name = `export ${this.#said(one.exported)}`;
      this.#add(one, { name, kind, acts: false }, { ...node, specifiers: [one] });
    }
  }

  #exportedDefault(declaration: AnyNode, whole: AnyNode): void {
    const isFunction = declaration.type === "FunctionDeclaration" || isFunctionValue(declaration);
    const kind = isFunction ? "function" : "statement";
    if (declaration.type === "ClassDeclaration" && declaration.id)
      this.#exportedClass(declaration, declaration.id, whole);
    else if (declaration.type === "ClassDeclaration") this.#class(declaration, whole, "default", "export default");
    else
      this.#add(
        whole,
        { name: "export default", kind, acts: !isQuiet(declaration), reads: readsOf(declaration) },
        whole,
      );
  }

  /** Two units, as if the class stood alone and `export default` of its name below it. */
  #exportedClass(node: Class, id: Identifier, whole: AnyNode): void {
    this.#class(node, node, id.name, "");
    const named = { name: "export default", kind: "statement" as const, acts: false, reads: readsOf(id) };
    const words = this.#read.code.slice(whole.start, node.start).trimEnd();
    this.#add({ start: whole.start, end: whole.start + words.length }, named, { ...whole, declaration: id });
  }

  #declared(node: AnyNode, whole: AnyNode, exported: string): void {
    if (node.type === "FunctionDeclaration") {
      const name = node.id?.name ?? "";
      // Declared functions are there before anything runs.
      this.#add(whole, { name, kind: "function", binds: [`function ${name}`], acts: false }, [exported, node]);
    } else if (node.type === "ClassDeclaration") this.#class(node, whole, node.id?.name ?? "", exported);
    else if (node.type === "VariableDeclaration") this.#variables(node, whole, exported);
    else this.#other(node);
  }

  #variables(node: VariableDeclaration, whole: AnyNode, exported: string): void {
    for (const one of node.declarations) {
      const at = node.declarations.length === 1 ? whole : one;
      const name = this.#said(one.id);
      const { init } = one;
      if (init?.type === "ClassExpression") {
        this.#class(init, at, name, [exported, node.kind, one.id]);
        continue;
      }
      const kind = isFunctionValue(init) ? "function" : isRequired(init) ? "import" : "statement";
      const binds = [...readsOf(one.id)];
      const acts = init ? !isQuiet(init) || one.id.type !== "Identifier" : false;
      this.#add(at, { name, kind, binds, reads: readsOf(init), acts }, [exported, node.kind, one]);
    }
  }

  /** The class without what is a unit of its own; fields and blocks are statements, as they run in order. */
  #class(node: Class, whole: { start: number }, name: string, context: unknown): void {
    const head = { ...node, body: null };
    const acts = node.superClass !== null && node.superClass !== undefined;
    const members = node.body.body;
    this.#add(
      { start: whole.start, end: node.body.start + 1 },
      { name, kind: "class", binds: [name], reads: readsOf(node.superClass), acts },
      [context, head],
    );
    const outside = this.#mode;
    this.#mode = "strict";
    for (const member of members) {
      const key = "key" in member ? this.#said(member.key) : "static";
      const isMethod = member.type === "MethodDefinition";
      const isFunction = isMethod || (member.type === "PropertyDefinition" && isFunctionValue(member.value));
      const computed = "computed" in member && member.computed;
      const side = isMethod ? `${member.static ? "static " : ""}${member.kind} ` : "";
      const binds = [`${name}.${side}${key}`];
      const own = { name: `${name}.${key}`, kind: isFunction ? ("function" as const) : ("statement" as const) };
      this.#add(member, { ...own, binds, acts: computed || !isMethod }, member);
    }
    this.#mode = outside;
  }

  #other(node: AnyNode): void {
    const assigned = node.type === "ExpressionStatement" ? node.expression : null;
    const isAssigned = assigned?.type === "AssignmentExpression";
    const kind = isAssigned && isFunctionValue(assigned.right) ? "function" : "statement";
    const name = isAssigned ? this.#said(assigned.left).slice(0, LONGEST_NAME) : this.#firstLine(node);
    this.#add(node, { name, kind, reads: readsOf(node), acts: true }, node);
  }

  #add(at: { start: number; end: number }, named: Named, part: unknown): void {
    const { start, end } = this.#placed(at);
    const from = this.#lineOf(start);
    const goal = named.kind === "function" ? "" : this.#read.goal;
    const plain = meaningOf([this.#mode, goal, part]);
    const erased = erasedIn(this.#text, this.#read.code, start, end);
    const code = erased === "" ? plain : meaningOf([plain, erased]);
    const to = this.#lineOf(Math.max(start, end - 1));
    this.units.push({ binds: [], reads: [], acts: true, ...named, from, to, start, end, code, plain });
  }

  #placed({ start, end }: { start: number; end: number }): { start: number; end: number } {
    const from = this.#read.place(start);
    return { start: from, end: Math.max(from, this.#read.place(end)) };
  }

  #said({ start, end }: { start: number; end: number }): string {
    return this.#read.code.slice(start, end);
  }

  #firstLine(node: AnyNode): string {
    return (this.#said(node).split("\n")[0] ?? "").trim().slice(0, LONGEST_NAME);
  }
}

const LONGEST_NAME = 60;

/** Whether this comes with the language; a name that the module lacks keeps the whole file from being loaded. */
function hasName(module: string, one: ImportDeclaration["specifiers"][number]): boolean {
  if (!isBuiltin(module)) return false;
  if (one.type !== "ImportSpecifier") return true;
  const name = one.imported.type === "Identifier" ? one.imported.name : String(one.imported.value);
  return name === "default" || name in (process.getBuiltinModule(module) ?? {});
}

const hasDirective = ({ body }: Program): boolean =>
  body.some((node) => node.type === "ExpressionStatement" && node.directive === "use strict");

/** The types between two places: they are blanks in what was parsed. Null places are those of other texts. */
function erasedIn(text: string, code: string, start: number, end: number): string {
  if (text === code) return "";
  if (text.length !== code.length) return text.slice(start, end).replace(/\s+/g, "");
  let erased = "";
  for (let at = start; at < end; at += 1) if (text[at] !== code[at]) erased += text[at];
  return erased.replace(/\s+/g, "");
}
