import { z } from "zod";
import { readJson } from "../domain/json.ts";
import type { TreeFiles } from "./environment.ts";
import type { PackageFacts } from "./package-facts.ts";
import { nameOf } from "./python-needs.ts";
import { plainName, readPyproject } from "./read-pyproject.ts";
import { readToml } from "./read-toml.ts";
import { readRequirementFiles } from "./requirement-files.ts";
import type { WantedPackage } from "./wanted-package.ts";

export interface ManifestEdit {
  path: string;
  content: string;
}

type Edited = ManifestEdit | { problem: string };

/** The manifest of the tree with this package in it, in the form that the project uses. Nothing else of it changes. */
export function withPackage(tree: TreeFiles, wanted: WantedPackage, { version }: PackageFacts): Edited {
  if (wanted.language === "javascript") return inPackageJson(tree, wanted, version);
  if (wanted.language === "go") return { problem: `run \`go get ${wanted.name}\`: it writes go.mod and go.sum` };
  return inPython(tree, wanted, version);
}

const REQUIREMENTS = "requirements.txt";
const PYPROJECT = "pyproject.toml";

const Project = z.object({
  project: z
    .object({ dependencies: z.array(z.unknown()), dynamic: z.array(z.unknown()).catch([]) })
    .partial()
    .optional()
    .catch(undefined),
});

function inPython(tree: TreeFiles, { name, range }: WantedPackage, version: string): Edited {
  const text = tree.read(PYPROJECT);
  const requirements = tree.read(REQUIREMENTS);
  const isNamed = (line: string) => nameOf(line) === plainName(name);
  if (readRequirementFiles(tree).lines.some(isNamed)) return alreadyIn("a file of requirements", name);
  if (text !== null && readPyproject(text).lines.some(isNamed)) return alreadyIn(PYPROJECT, name);
  const { project } = Project.safeParse(readToml(text ?? "")).data ?? {};
  const isListed = project?.dependencies !== undefined || (project !== undefined && requirements === null);
  if (text === null || !isListed || project?.dynamic?.includes("dependencies")) {
    const line = `${name}${range || `==${version}`}\n`;
    const before = requirements ?? "";
    return { path: REQUIREMENTS, content: `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${line}` };
  }
  // A library leaves room for later releases; a lockfile or the environment says which one was used.
  const line = `${name}${range || `>=${version}`}`;
  const content = inProjectTable(text, line);
  const said = content === null ? [] : readPyproject(content).lines;
  const wanted = [...readPyproject(text).lines, line];
  // Whatever was written is read back before it is believed.
  if (content === null || said.length !== wanted.length || !wanted.every((one) => said.includes(one)))
    return { problem: `write "${line}" into the dependencies of ${PYPROJECT} by an edit: its form is not known here` };
  return { path: PYPROJECT, content };
}

const alreadyIn = (path: string, name: string) => ({
  problem: `${name} is in ${path} already: another version of it is an edit there`,
});

/** Null where the table or its list cannot be found. */
function inProjectTable(text: string, line: string): string | null {
  const header = /^\[project\][^\S\n]*(#.*)?$/m.exec(text);
  if (!header) return null;
  const start = header.index + header[0].length;
  const next = /^\[/m.exec(text.slice(start));
  const end = next ? start + next.index : text.length;
  const list = /^dependencies\s*=\s*\[/m.exec(text.slice(start, end));
  const item = JSON.stringify(line);
  if (!list) {
    const last = start + text.slice(start, end).trimEnd().length;
    return `${text.slice(0, last)}\ndependencies = [${item}]${text.slice(last) || "\n"}`;
  }
  const open = start + list.index + list[0].length;
  const close = endOfList(text, open);
  if (close === null) return null;
  const inside = text.slice(open, close);
  const kept = inside.trimEnd();
  if (!inside.includes("\n")) {
    const comma = kept.trim() === "" ? "" : kept.endsWith(",") ? " " : ", ";
    return `${text.slice(0, open)}${kept}${comma}${item}${text.slice(close)}`;
  }
  const indent = /\n([ \t]*)\S[^\n]*$/.exec(kept)?.[1] ?? "  ";
  // A comment after the last item hides a comma that is put behind it.
  if (/#[^\n"']*$/.test(kept)) return null;
  const comma = kept.trim() === "" || kept.endsWith(",") ? "" : ",";
  return `${text.slice(0, open)}${kept}${comma}\n${indent}${item},\n${text.slice(close)}`;
}

/** Where the list that begins here ends: a bracket in a string or in a comment is none. */
function endOfList(text: string, open: number): number | null {
  const tokens = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]]/g;
  tokens.lastIndex = open;
  let depth = 0;
  for (let found = tokens.exec(text); found; found = tokens.exec(text)) {
    if (found[0] === "[") depth += 1;
    else if (found[0] === "]" && depth === 0) return found.index;
    else if (found[0] === "]") depth -= 1;
  }
  return null;
}

const MANIFEST = "package.json";
/** Not by its fields: what is known of it and what is not keep their order. */
const Manifest = z.record(z.string(), z.unknown());
const Names = z.record(z.string(), z.string()).catch({});

function inPackageJson({ read }: TreeFiles, { name, range }: WantedPackage, version: string): Edited {
  const text = read(MANIFEST) ?? '{\n  "private": true\n}\n';
  const manifest = Manifest.safeParse(readJson(text)).data;
  if (!manifest) return { problem: `${MANIFEST} cannot be read` };
  const [dependencies, devDependencies] = [Names.parse(manifest.dependencies), Names.parse(manifest.devDependencies)];
  if (Object.hasOwn({ ...devDependencies, ...dependencies }, name)) return alreadyIn(MANIFEST, name);
  const names = [...Object.entries(dependencies), [name, range || `^${version}`] as const];
  const sorted = Object.fromEntries(names.toSorted(([one], [other]) => one.localeCompare(other, "en")));
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? (text.includes("\n") ? "  " : "");
  const content = JSON.stringify({ ...manifest, dependencies: sorted }, null, indent);
  return { path: MANIFEST, content: `${content}${text.endsWith("\n") ? "\n" : ""}` };
}
