import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import type { CompiledUnit } from "../../languages/compiled-unit.ts";
import { readScript, statementsOf } from "../../languages/javascript/read-script.ts";
import { scriptUnits } from "../../languages/javascript/script-units.ts";
import type { SourceFile, Toolchain } from "../../languages/language.ts";
import { type PythonFile, type ReadByPeople, readUnits, unitsRun } from "../../languages/python/python-units.ts";
import { droppedIdentity } from "../../sandbox/identity.ts";
import type { Command, CommandResult } from "../../sandbox/sandbox.ts";
import { within } from "../../syntax/nodes.ts";
import { oddSource } from "../../syntax/odd-source.ts";
import { type Grammar, grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";
import { grammarUnits } from "./grammar-units.ts";
import { firstDifference, firstLeftOut } from "./reads-alike.ts";
import { toolComments } from "./tool-comments.ts";

type PythonUnits = Extract<PythonFile, { units: unknown }>;

export type UnitsOfFile = CompiledUnit[] | { unreadable: string };

/** What an interpreter says of sources. */
export type CompilerAnswer = Pick<CommandResult, "stdout" | "stderr" | "ending">;

/** What is needed to ask an interpreter. */
export interface CompilerSurroundings {
  toolchain: Toolchain;
  sandbox: { run(command: Command, limits: SandboxLimits, signal: AbortSignal): Promise<CompilerAnswer> };
  limits: SandboxLimits;
  signal: AbortSignal;
  parsers: SyntaxParsers;
}

const MOST_OUTPUT = 64_000_000;
const SCRIPTS = new Set<Grammar>(["javascript", "typescript", "tsx"]);

/**
 * The units of each file, known by what the language's own reader makes of them: Python's compiler, for JavaScript and
 * TypeScript a parser that follows the specification. What one of the readers cannot read, or what they may read
 * differently, is unreadable, and the reason says why. Files in no language of ours are left out.
 */
export async function compiledUnits(
  around: CompilerSurroundings,
  files: readonly SourceFile[],
  read: ReadByPeople,
): Promise<Map<string, UnitsOfFile>> {
  const found = new Map<string, UnitsOfFile>();
  const ofPython = new Map<SourceFile, SyntaxNode>();
  const roots = new Map<SourceFile, SyntaxNode>();
  for (const file of files) {
    const grammar = grammarOf(file.path);
    if (grammar === null) continue;
    const odd = oddSource(file.path, Buffer.from(file.content));
    const { root, broken } = await around.parsers.parse(grammar, file.content);
    roots.set(file, root);
    if (odd !== null) found.set(file.path, { unreadable: odd });
    else if (broken && !SCRIPTS.has(grammar)) found.set(file.path, { unreadable: "our grammar cannot read it" });
    else if (grammar === "python") ofPython.set(file, root);
    else found.set(file.path, SCRIPTS.has(grammar) ? ofScript(file, root, broken) : grammarUnits(root, file.content));
  }
  const compiled = await compiledPython(around, [...ofPython.keys()], read);
  for (const [{ path, content }, root] of ofPython) {
    const own = compiled.get(path) ?? { unreadable: "Python did not say what it is compiled to" };
    found.set(path, "unreadable" in own ? own : ofPythonFile(own, root, content));
  }
  for (const [{ path, content }, root] of roots) {
    const own = found.get(path);
    if (own && !("unreadable" in own)) found.set(path, [...toolComments(path, content, root), ...own]);
  }
  return found;
}

/** All of the file is in its units: what is in none would be judged by nobody. */
function ofPythonFile({ units, statements }: PythonUnits, root: SyntaxNode, text: string): UnitsOfFile {
  const place = firstLeftOut(root, units);
  if (place !== null) return { unreadable: `our grammar reads code in line ${lineAt(text, place)} that is in no unit` };
  // Of a bare text or a `pass` nothing is compiled.
  const compiled = units.filter(({ code }) => code !== "");
  return readAlike(compiled, root, text, statements);
}

/** What Node cannot read and our grammar can is for a build tool: JSX, decorators. */
function ofScript({ path, content }: SourceFile, root: SyntaxNode, broken: boolean): UnitsOfFile {
  const script = readScript(path, content);
  if (!("unreadable" in script)) {
    const units = scriptUnits(script, content);
    // Mutants are made by our grammar: what it cannot read has none, and the units say nothing wrong.
    return broken ? units : readAlike(units, root, content, statementsOf(script, content));
  }
  const isBuilt = !broken && [...within(root)].some(({ type }) => type.startsWith("jsx_") || type === "decorator");
  return isBuilt ? grammarUnits(root, content) : { unreadable: script.unreadable };
}

function readAlike(units: CompiledUnit[], root: SyntaxNode, text: string, statements: number[]): UnitsOfFile {
  const place = firstDifference(root, statements);
  if (place === null) return units;
  return { unreadable: `the interpreter reads code in line ${lineAt(text, place)} where our grammar reads none` };
}

const lineAt = (text: string, place: number): number => text.slice(0, place).split("\n").length;

async function compiledPython(
  { toolchain, sandbox, limits, signal }: CompilerSurroundings,
  files: readonly SourceFile[],
  people: ReadByPeople,
): Promise<Map<string, PythonFile>> {
  if (files.length === 0) return new Map();
  const { argv, stdin } = unitsRun(files, people);
  const workspace = mkdtempSync(join(tmpdir(), "miracle-units-"));
  const owner = droppedIdentity();
  if (owner) chownSync(workspace, owner.uid, owner.gid);
  try {
    const { mounts, path, env } = toolchain;
    const command = { argv, stdin, workspace, mounts, path, env };
    const { stdout, stderr, ending } = await sandbox.run(command, { ...limits, outputBytes: MOST_OUTPUT }, signal);
    const units = readUnits(stdout, files);
    const why = ending === "exited" ? (stderr.trim().split("\n").at(-1) ?? "") : ending;
    const lacking = { unreadable: `Python could not be asked what it is compiled to: ${why.slice(0, 200)}` };
    return new Map(files.map(({ path }) => [path, units?.get(path) ?? lacking]));
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
