import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Ended, runProgram } from "./miracle.ts";

/**
 * A command of fetched material, in its scratch folder: no network, and nothing else can be written but what is installed
 * for it, where tools keep their caches.
 */
export function runContained(
  argv: string[],
  { scratch, cwd, minutes = 5 }: { scratch: string; cwd: string; minutes?: number },
): Promise<Ended> {
  const [home, temporary] = [join(scratch, "contained-home"), join(scratch, "contained-tmp")];
  for (const directory of [home, temporary]) mkdirSync(directory, { recursive: true });
  const jail = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", scratch, scratch];
  const installed = ["node_modules", ".venv"].map((name) => join(cwd, name)).filter((path) => existsSync(path));
  const writable = installed.map((path) => realpathSync(path)).flatMap((path) => ["--bind", path, path]);
  const apart = [
    "--unshare-net",
    "--unshare-pid",
    "--unshare-ipc",
    "--die-with-parent",
    "--new-session",
    "--chdir",
    cwd,
    "--",
  ];
  const { PATH = "", LANG = "C.UTF-8" } = process.env;
  const env = {
    PATH: `${join(cwd, "node_modules", ".bin")}:${join(cwd, ".venv", "bin")}:${PATH}`,
    LANG,
    HOME: home,
    TMPDIR: temporary,
    PYTHONPATH: `${cwd}:${join(cwd, "src")}`,
    PYTHONDONTWRITEBYTECODE: "1",
    PYTEST_ADDOPTS: "-p no:cacheprovider",
    CI: "1",
  };
  return runProgram([...jail, ...writable, ...apart, ...argv], { cwd, env, minutes });
}
