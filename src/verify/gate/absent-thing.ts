import { ENVIRONMENT_FILE } from "../../domain/settings/environment-file.ts";

/** Something that a test needs and that is not there. */
export interface AbsentThing {
  /** As the runner says it. */
  what: string;
  /** What a person can do about it; empty where nobody knows. */
  remedy: string;
}

/** Whether the tree itself has a module or package of this name: then it was not installed, but never made. */
export type IsOwn = (name: string) => boolean;

/** Modules of Python's by the paths of a tree, at its root or below `src`. */
export function ownModules(paths: readonly string[]): IsOwn {
  const names = new Set(paths.flatMap((path) => /^(?:src\/)?([A-Za-z_]\w*)(?:\.py$|\/)/.exec(path)?.[1] ?? []));
  return (name) => names.has(name);
}

interface Form {
  says: RegExp;
  /** Null: the code is wrong, and nothing is absent. */
  remedy: (name: string, isOwn: IsOwn) => string | null;
}

const BUILD = `it may have to be built first: say how in ${ENVIRONMENT_FILE}`;
const install = (name: string) => `install ${name}, in a .venv of the project or by its manifests`;
const top = (name: string) => name.split(".")[0] ?? name;
const plugin = (has: string) => `a plugin of pytest that has \`${has}\` is not installed`;

const FORMS: Form[] = [
  {
    says: /ModuleNotFoundError: No module named ['"]([\w.]+)['"]/,
    remedy: (name, isOwn) => (isOwn(top(name)) ? BUILD : install(top(name))),
  },
  {
    says: /ImportError: cannot import name ['"]\w+['"] from ['"]([\w.]+)['"]/,
    remedy: (name, isOwn) => (isOwn(top(name)) ? null : `another version of ${top(name)} may be needed`),
  },
  { says: /ImportError: [^\n]*/, remedy: () => "" },
  { says: /Cannot find (?:module|package) ['"]((?:@[\w.-]+\/)?\w[\w.-]*)['"/]/, remedy: () => "npm install" },
  { says: /Cannot find module ['"]([^'"]+)['"]/, remedy: () => BUILD },
  { says: /(?:sh|bash): (?:line \d+: )?([\w.-]+): (?:command )?not found/, remedy: () => "npm install" },
  { says: /fixture ['"](\w+)['"] not found/, remedy: plugin },
  { says: /unrecognized arguments: (--?[\w-]+)[^\n]*/, remedy: plugin },
  { says: /Missing required plugins: ([^\n]+)/, remedy: install },
];

/** What is not there, by what a runner printed; null where it speaks of nothing of the kind. */
export function absentIn(text: string, isOwn: IsOwn = () => false): AbsentThing | null {
  for (const { says, remedy } of FORMS) {
    const found = says.exec(text);
    if (!found) continue;
    const todo = remedy(found[1]?.trim() ?? "", isOwn);
    return todo === null ? null : { what: found[0].trim().slice(0, LONGEST), remedy: todo };
  }
  return null;
}

const LONGEST = 160;
