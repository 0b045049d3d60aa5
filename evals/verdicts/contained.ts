import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Ended, runProgram } from "./miracle.ts";

/** A command of fetched material, in its scratch folder: no network, and nothing else can be written. */
export function runContained(
  argv: string[],
  { scratch, cwd, minutes = 5 }: { scratch: string; cwd: string; minutes?: number },
): Promise<Ended> {
  const [home, temporary] = [join(scratch, "contained-home"), join(scratch, "contained-tmp")];
  for (const directory of [home, temporary]) mkdirSync(directory, { recursive: true });
  const jail = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", scratch, scratch];
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
  return runProgram([...jail, ...apart, ...argv], { cwd, env, minutes });
}
