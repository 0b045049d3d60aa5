import { createHash } from "node:crypto";
import { canonicalJson } from "../domain/json.ts";
import { SCRATCH_NAMES } from "../languages/javascript/find-node.ts";
import type { Interpreter } from "../languages/python/find-python.ts";
import type { Recipe } from "./environment.ts";
import { installedPackages } from "./fits-python.ts";
import { LEND_RUNNER } from "./lend-runner.ts";
import type { NodeNeeds } from "./node-needs.ts";
import { nameOf, type PythonNeeds } from "./python-needs.ts";

/** A change of how environments are made is another environment. */
const FORMAT = 1;

/** A virtual environment with what the manifests ask for, and the interpreter's own test runner where they name none. */
export function pythonRecipe({ requirements, constraints, from, left }: PythonNeeds, base: Interpreter): Recipe {
  const canLend = installedPackages(base.packages).has("pytest");
  const runner = canLend || requirements.some((line) => nameOf(line) === "pytest") ? [] : ["pytest"];
  const hashed = requirements.filter((line) => line.includes("--hash"));
  const plain = [...requirements.filter((line) => !line.includes("--hash")), ...runner];
  const file = (path: string, lines: string[]) => ({ path, content: lines.map((line) => `${line}\n`).join("") });
  const files = [
    file("hashed.txt", hashed),
    file("requirements.txt", plain),
    file("constraints.txt", constraints),
    { path: "lend.py", content: LEND_RUNNER },
  ];
  const command = [
    "python3 -m venv --without-pip .venv",
    'pip="python3 -m pip --python .venv/bin/python3"',
    `$pip --version > /dev/null 2>&1 || { python3 -m venv .venv; pip=".venv/bin/python3 -m pip"; }`,
    ...(hashed.length > 0 ? ["$pip install -q --no-input -r hashed.txt"] : []),
    ...(plain.length > 0 ? ["$pip install -q --no-input -r requirements.txt -c constraints.txt"] : []),
    "python3 -B lend.py .venv/lib/python3.*/site-packages .venv/bin/python3",
  ].join("\n");
  const interpreter = `python ${base.version} in ${base.prefix}`;
  return {
    name: nameFor("python", interpreter, files, command),
    language: "python",
    interpreter,
    from,
    left,
    files,
    command,
    fills: ".venv",
  };
}

/** node_modules by npm: exactly the lockfile, or without one the newest that the manifest allows. */
export function nodeRecipe({ files, lock, from, legacyPeers }: NodeNeeds, version: string): Recipe {
  const peers = legacyPeers ? " --legacy-peer-deps" : "";
  const scratch = SCRATCH_NAMES.map((name) => `{}/${name}`).join(" ");
  const command = [
    `npm ${lock === null ? "install --no-package-lock" : "ci"} --ignore-scripts${peers}`,
    `find . -name node_modules -prune -exec mkdir -p ${scratch} \\;`,
  ].join("\n");
  const interpreter = `node ${version}`;
  const name = nameFor("javascript", interpreter, files, command);
  return { name, language: "javascript", interpreter, from, left: [], files, command, fills: "node_modules" };
}

/** By everything that decides over what will be in it. */
function nameFor(language: Recipe["language"], interpreter: string, files: Recipe["files"], command: string): string {
  const text = canonicalJson({ format: FORMAT, interpreter, files, command });
  return `${language}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}
