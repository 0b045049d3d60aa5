/** Modules that the runner itself imports: found in the workspace first, one of the coder's would run in their place. */
export function shadowsRunner(path: string): boolean {
  const [first = "", second = ""] = path.replace(/^src\//, "").split("/");
  if (!path.endsWith(".py")) return false;
  const module = second === "" ? first.replace(/\.py$/, "") : first;
  return RUNNER_MODULES.has(module);
}

const RUNNER_MODULES = new Set(
  (
    "pytest _pytest pluggy iniconfig exceptiongroup tomli hypothesis unittest doctest coverage py attr attrs sortedcontainers packaging pygments " +
    "abc argparse ast asyncio atexit base64 bdb builtins bisect collections codecs contextlib copy csv dataclasses datetime decimal difflib dis encodings enum errno fnmatch fractions functools gc genericpath getopt glob " +
    "hashlib heapq importlib inspect io itertools json keyword linecache locale logging marshal math numbers operator os pathlib pdb pickle pkgutil platform posixpath pprint random re reprlib sched select shlex shutil signal site socket sre_compile stat " +
    "statistics string struct subprocess symtable sys sysconfig tarfile tempfile textwrap threading time timeit token tokenize traceback types typing uuid warnings weakref xml zipfile zipimport zlib"
  ).split(" "),
);
