import { posix } from "node:path";
import type { SourceFile } from "../language.ts";
import {
  type BaseTree,
  describeName,
  type Missing,
  type MissingName,
  NOT_IMPLEMENTED_CODE,
  SENTINEL,
  type StubKind,
} from "../stub.ts";
import type { TestUses } from "../test-uses.ts";

/** What a test file needs and the base tree lacks. */
export function missingJavaScript(file: SourceFile, uses: TestUses, base: BaseTree): Missing[] {
  const directory = posix.dirname(file.path);
  const found: Missing[] = uses.imports
    .filter(({ module }) => module.startsWith("."))
    .flatMap(({ module, names }) => {
      const path = placeOf(posix.join(directory, module), file.path, base);
      const existing = base.read(path);
      const missing = names.filter((name) => existing === null || !exportsName(existing, name));
      if (existing !== null && missing.length === 0) return [];
      return [{ path, existing, names: missing.map((name) => describeName(name, uses, file.content)), program: false }];
    });
  for (const program of uses.programs) {
    const path = [posix.normalize(program), posix.join(directory, program)].find(
      (one) => !one.startsWith("..") && !one.startsWith("/"),
    );
    const exists = base.has(posix.normalize(program)) || base.has(posix.join(directory, program));
    if (path !== undefined && !exists) found.push({ path, existing: null, names: [], program: true });
  }
  return found;
}

function placeOf(path: string, testPath: string, base: BaseTree): string {
  const endings = ["", ".js", ".ts", ".mjs", ".cjs", "/index.js", "/index.ts"];
  const typed = path.replace(/\.([cm]?)js$/, ".$1ts");
  const found = [...endings.map((ending) => path + ending), typed].find((one) => base.has(one));
  if (found !== undefined) return found;
  if (/\.[cm]?[jt]sx?$/.test(path)) return path;
  return path + (/\.[cm]?tsx?$/.test(testPath) ? ".ts" : ".js");
}

/** By the look of the text: what is exported from elsewhere as a whole may be anything. */
function exportsName(text: string, name: string): boolean {
  if (/\bexport\s*\*\s*from\b|\bmodule\.exports\s*=\s*(?!\{)/.test(text)) return true;
  if (name === "default") return /\bexport\s+default\b|\bas\s+default\b|\bmodule\.exports\b/.test(text);
  const word = name.replace(/[$]/g, "\\$");
  const forms = [
    `\\bexport\\s+(?:async\\s+)?(?:const|let|var|class|function\\s*\\*?|interface|type|enum)\\s+${word}\\b`,
    `\\bexport\\s*\\{[^}]*(?<![\\w$])${word}(?![\\w$])\\s*[,}]`,
    `\\bexports\\.${word}\\s*=`,
    `\\bmodule\\.exports\\s*=\\s*\\{[^]*(?<![\\w$.])${word}(?![\\w$])`,
  ];
  return forms.some((form) => new RegExp(form).test(text));
}

/** The module as a stub: what it has stays, what is missing is put behind it. */
export function javascriptStub({ path, existing, names, program }: Missing, kind: StubKind, base: BaseTree): string {
  const isModule = /"type"\s*:\s*"module"/.test(base.read("package.json") ?? "");
  const modern =
    existing === null
      ? isEsModule(path, isModule)
      : /^\s*(export|import)\b/m.test(existing) || !/\b(module\.)?exports\b/.test(existing);
  const parts = [existing ?? "", ...names.map((name) => definition(name, kind, modern))];
  if (program) parts.push(main(kind));
  return `${parts.filter((part) => part !== "").join("\n")}\n`;
}

const isEsModule = (path: string, byDefault: boolean): boolean =>
  /\.c[jt]s$/.test(path) ? false : /\.m[jt]s$/.test(path) ? true : byDefault;

const DEFAULTS: Record<MissingName["type"], string> = {
  text: '""',
  number: "0",
  list: "[]",
  map: "{}",
  truth: "false",
  unknown: "undefined",
};

function definition({ name, shape, type }: MissingName, kind: StubKind, modern: boolean): string {
  const code = expression({ name, shape, type }, kind);
  if (!modern) return name === "default" ? `module.exports = ${code};` : `exports.${name} = ${code};`;
  return name === "default" ? `export default ${code};` : `export const ${name} = ${code};`;
}

function expression({ shape, type }: MissingName, kind: StubKind): string {
  const value = kind === "sentinel" ? `Symbol("${SENTINEL}")` : DEFAULTS[type];
  const fail = 'throw new Error("not implemented")';
  const body = kind === "raising" ? `${fail};` : `return ${value};`;
  if (shape === "error") return "class extends Error {}";
  if (shape === "function") return `function () { ${body} }`;
  if (shape === "async-function") return `async function () { ${body} }`;
  const proxy = (target: string) =>
    `new Proxy(${target}, { get(own, key) { if (typeof key === "symbol" || key === "then" || key in own) return Reflect.get(own, key); ${kind === "raising" ? `${fail};` : `return function () { ${body} };`} } })`;
  if (shape === "value") return kind === "raising" ? proxy("{}") : value;
  return proxy(`class { constructor() { return ${proxy("this")}; } }`);
}

function main(kind: StubKind): string {
  return {
    raising: `console.error("not implemented");\nprocess.exitCode = ${NOT_IMPLEMENTED_CODE};`,
    default: "",
    sentinel: `console.log("${SENTINEL}");`,
  }[kind];
}
