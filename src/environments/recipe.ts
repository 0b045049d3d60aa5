import { createHash } from "node:crypto";
import { canonicalJson } from "../domain/json.ts";
import { SCRATCH_NAMES } from "../languages/javascript/find-node.ts";
import type { Interpreter } from "../languages/python/find-python.ts";
import type { Recipe } from "./environment.ts";
import { installedPackages } from "./fits-python.ts";
import type { GoNeeds } from "./go-needs.ts";
import { LEND_RUNNER } from "./lend-runner.ts";
import { installLines, managerFiles } from "./manager-programs.ts";
import type { More } from "./more-of-project.ts";
import type { NodeNeeds } from "./node-needs.ts";
import { nameOf, type PythonNeeds } from "./python-needs.ts";

/** A change of how environments are made is another environment. */
const FORMAT = 2;

/** A virtual environment with what the manifests ask for, and the interpreter's own test runner where they name none. */
export function pythonRecipe(
  { requirements, constraints, from, left }: PythonNeeds,
  base: Interpreter,
  more: More,
): Recipe {
  const canLend = installedPackages(base.packages).has("pytest");
  const runner = canLend || requirements.some((line) => nameOf(line) === "pytest") ? [] : ["pytest"];
  const hashed = requirements.filter((line) => line.includes("--hash"));
  const plain = [...requirements.filter((line) => !line.includes("--hash")), ...runner];
  const file = (path: string, lines: string[]) => ({ path, content: lines.map((line) => `${line}\n`).join("") });
  const command = [
    "python3 -m venv --without-pip .venv",
    'pip="$(command -v python3) -m pip --python $PWD/.venv/bin/python3"',
    `$pip --version > /dev/null 2>&1 || { python3 -m venv .venv; pip="$PWD/.venv/bin/python3 -m pip"; }`,
    ...(hashed.length > 0 ? ["$pip install -q --no-input -r .hashed.txt"] : []),
    ...(plain.length > 0 ? ["$pip install -q --no-input -r .requirements.txt -c .constraints.txt"] : []),
    // A person's line says `pip` and `python3`, and means those of the environment.
    ...(more.lines.length > 0 ? ['pip() { command $pip "$@"; }', inShell(more, "$PWD/.venv/bin")] : []),
    "python3 -B .lend.py .venv/lib/python3.*/site-packages .venv/bin/python3",
  ];
  const fixed = new Set(constraints.filter((line) => line.includes("==")).map(nameOf));
  return named({
    language: "python",
    interpreter: `python ${base.version} in ${base.prefix}`,
    from: [...from, ...more.from],
    left,
    locked: requirements.every((line) => /==|--hash/.test(line) || fixed.has(nameOf(line))),
    files: [
      ...more.files,
      file(".hashed.txt", hashed),
      file(".requirements.txt", plain),
      file(".constraints.txt", constraints),
      { path: ".lend.py", content: LEND_RUNNER },
    ],
    command: command.join("\n"),
    fills: ".venv",
  });
}

/** node_modules by the manager of the lockfile: exactly that, or without one the newest that the manifest allows. */
export function nodeRecipe(needs: NodeNeeds | null, version: string, more: More): Recipe {
  const { files = [], lock = null, manager = null, from = [], left = [] } = needs ?? {};
  const scratch = SCRATCH_NAMES.map((name) => `{}/${name}`).join(" ");
  const npm = `npm ${lock === null ? "install --no-package-lock" : "ci"} --ignore-scripts`;
  const command = [
    ...(manager ? installLines(manager) : needs ? [npm] : []),
    ...(more.lines.length > 0 ? [inShell(more, "$PWD/node_modules/.bin")] : []),
    "mkdir -p node_modules",
    `find . -name node_modules -prune -exec mkdir -p ${scratch} \\;`,
  ];
  return named({
    language: "javascript",
    interpreter: `node ${version}`,
    from: [...from, ...more.from],
    left,
    locked: lock !== null,
    files: [...more.files, ...files, ...(manager ? managerFiles(manager) : [])],
    command: command.join("\n"),
    fills: "node_modules",
  });
}

/** Go's own cache of modules, checked against go.sum by Go itself. */
export function goRecipe(needs: GoNeeds | null, version: string, more: More): Recipe {
  const { files = [], from = [], locked = true } = needs ?? {};
  const command = [
    'mkdir -p modules; export GOMODCACHE="$PWD/modules"',
    // Files that nobody may write could not be removed either.
    'export GOFLAGS="-mod=mod -modcacherw"',
    ...(needs ? ["go mod download"] : []),
    ...(more.lines.length > 0 ? [inShell(more, "$PWD/bin")] : []),
  ];
  return named({
    language: "go",
    interpreter: `go ${version}`,
    from: [...from, ...more.from],
    left: [],
    locked,
    files: [...more.files, ...files],
    command: command.join("\n"),
    fills: "modules",
  });
}

/** What they set and where they go ends with them. */
const inShell = ({ lines }: More, path: string): string => `(\nPATH="${path}:$PATH"\n${lines.join("\n")}\n)`;

/** By everything that decides over what will be in it. */
function named(recipe: Omit<Recipe, "name">): Recipe {
  const { language, interpreter, files, command } = recipe;
  const text = canonicalJson({ format: FORMAT, interpreter, files, command });
  return { name: `${language}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`, ...recipe };
}
