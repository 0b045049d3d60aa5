import type { Language } from "../../languages/language.ts";
import type { BaseTree } from "../../languages/stub.ts";
import type { Run } from "../hands/run.ts";

const PROGRAM = `
import importlib.util, json, sys
def is_there(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return name in sys.modules
print(json.dumps([name for name in sys.argv[1:] if is_there(name)]))
`;

/** Which of these packages the interpreter provides. Every other import of a test must be part of the project. */
export async function foreignPackages(
  run: Run,
  language: Language,
  names: string[],
  { base, tree, workspace }: { base: BaseTree; tree: string; workspace: string },
): Promise<Set<string>> {
  if (language.name !== "python") return new Set();
  const isOwn = (name: string) =>
    ["", "src/"].some((root) => base.has(`${root}${name}.py`) || base.hasDirectory(`${root}${name}`));
  const asked = names.filter((name) => /^\w+$/.test(name) && !isOwn(name));
  if (asked.length === 0) return new Set();
  const { sandbox, signal } = run.parts;
  const { mounts, path, env } = await run.parts.languages.toolchain(language, run.request.directory, tree);
  const { limits } = run.settings.sandbox;
  const argv = ["python3", "-B", "-c", PROGRAM, ...asked];
  const { stdout } = await sandbox.run({ argv, workspace, mounts, path, env }, limits, signal);
  return new Set(asked.filter((name) => stdout.includes(JSON.stringify(name))));
}
