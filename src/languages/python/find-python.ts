import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../../domain/failure.ts";
import { type Mount, WORKSPACE } from "../../sandbox/sandbox.ts";
import { fingerprint, list, read } from "../fingerprint.ts";
import type { Toolchain } from "../language.ts";

export interface PythonEnvironment {
  /** The interpreter to use, whatever else there is. */
  MIRACLE_PYTHON?: string | undefined;
  PATH?: string | undefined;
  HOME?: string | undefined;
  PYENV_ROOT?: string | undefined;
  PYENV_VERSION?: string | undefined;
}

/** An interpreter of the user's, and where its packages are. Found by looking at files: no process is started. */
export interface Interpreter {
  /** As a person would name it. */
  label: string;
  /** The installation that it belongs to or stands on. */
  prefix: string;
  /** Of a project or of ours: it stands on an installation. */
  isVirtual: boolean;
  version: string;
  packages: string[];
  mounts: Mount[];
  path: string[];
  env: Record<string, string>;
}

const LOCK_FILES = ["uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt", "pyproject.toml"];

/**
 * The first interpreter that has pytest, in the order in which the user's own shell would choose. `built` is a directory
 * with an environment of ours in `.venv`, which goes before everything.
 */
export function findPython(directory: string, environment: PythonEnvironment, built?: string): Toolchain {
  const found = findInterpreters(directory, environment);
  const interpreters = built === undefined ? found : standingOn(basePython(found), built);
  const chosen = interpreters.find((one) => versionOf("pytest", one.packages) !== null);
  if (!chosen) throw noPytest(interpreters);
  const passedOver = interpreters.slice(0, interpreters.indexOf(chosen)).map(({ label }) => label);
  return toToolchain(chosen, directory, passedOver);
}

/** Which of these modules the interpreter has that tests of this directory run with, by their files. */
export function pythonModules(names: string[], directory: string, environment: PythonEnvironment): ReadonlySet<string> {
  if (names.length === 0) return new Set();
  const chosen = findInterpreters(directory, environment).find(
    ({ packages }) => versionOf("pytest", packages) !== null,
  );
  return new Set(names.filter((name) => chosen && versionOf(name, chosen.packages) !== null));
}

/** For commands of a project whose tests are none of Python's: whatever is there. */
export function anyPython(directory: string, environment: PythonEnvironment): Toolchain | null {
  const first = findInterpreters(directory, environment)[0];
  return first ? toToolchain(first, directory, []) : null;
}

function toToolchain(chosen: Interpreter, directory: string, passedOver: string[]): Toolchain {
  const versions: Record<string, string> = { python: chosen.version };
  for (const name of ["pytest", "hypothesis"]) {
    const version = versionOf(name, chosen.packages);
    if (version !== null) versions[name] = version;
  }
  const locks = LOCK_FILES.map((name) => join(directory, name));
  versions.dependencies = fingerprint(chosen.packages, locks);
  if (passedOver.length > 0) versions.note = `${passedOver.join(", ")} without pytest: ${chosen.label} is used`;
  const env = {
    PYTHONPATH: `${WORKSPACE}:${WORKSPACE}/src`,
    PYTHONHASHSEED: "0",
    PYTHONDONTWRITEBYTECODE: "1",
    // pytest and Hypothesis leave nothing in the workspace, also when they are started by hand.
    PYTEST_ADDOPTS: "-p no:cacheprovider",
    HYPOTHESIS_STORAGE_DIRECTORY: "/tmp/hypothesis",
    ...chosen.env,
  };
  return { mounts: chosen.mounts, path: chosen.path, env, versions, runner: "pytest", script: null };
}

/** The interpreter that environments of ours stand on. */
export const basePython = (interpreters: Interpreter[]): Interpreter | null =>
  interpreters.find(({ isVirtual }) => !isVirtual) ?? null;

/** What packages wrote into the environment is not asked where its interpreter is. */
function standingOn(base: Interpreter | null, built: string): Interpreter[] {
  if (!base) return [];
  const root = join(built, ".venv");
  return [
    {
      ...base,
      label: root,
      isVirtual: true,
      packages: libraries(root).map((library) => join(library, "site-packages")),
      mounts: [...visible(base.prefix), { from: root, to: join(WORKSPACE, ".venv") }],
      path: [join(WORKSPACE, ".venv/bin")],
      env: {},
    },
  ];
}

export function findInterpreters(directory: string, environment: PythonEnvironment): Interpreter[] {
  const { MIRACLE_PYTHON } = environment;
  if (MIRACLE_PYTHON) return [installed(dirname(dirname(MIRACLE_PYTHON)), environment) ?? []].flat();
  const virtual = [".venv", "venv", "env"].flatMap((name) => virtualEnvironment(directory, name) ?? []);
  const pyenv = environment.PYENV_ROOT ?? join(environment.HOME ?? "/", ".pyenv");
  const local = read(join(directory, ".python-version")).trim().split("\n")[0] ?? "";
  const global = environment.PYENV_VERSION ?? read(join(pyenv, "version")).trim().split("\n")[0] ?? "";
  const prefixes = [
    ...(local === "" ? [] : [join(pyenv, "versions", local)]),
    ...(environment.PATH ?? "").split(":").flatMap((path) => {
      if (path.startsWith(pyenv)) return global === "" || global === "system" ? [] : [join(pyenv, "versions", global)];
      return existsSync(join(path, "python3")) ? [dirname(dirname(realpathSync(join(path, "python3"))))] : [];
    }),
    "/usr",
  ];
  return [...virtual, ...[...new Set(prefixes)].flatMap((prefix) => installed(prefix, environment) ?? [])];
}

/** Its interpreter is a link to another installation, which must be visible at the same place. */
function virtualEnvironment(directory: string, name: string): Interpreter | null {
  const root = join(directory, name);
  const config = read(join(root, "pyvenv.cfg"));
  const home = setting(config, "home");
  if (home === undefined || !existsSync(join(root, "bin/python3"))) return null;
  const base = dirname(home);
  const own = libraries(root).map((library) => join(library, "site-packages"));
  const shared = setting(config, "include-system-site-packages") === "true" ? installed(base, {})?.packages : undefined;
  return {
    label: name,
    prefix: base,
    isVirtual: true,
    version: setting(config, "version") ?? setting(config, "version_info") ?? "3",
    packages: [...own, ...(shared ?? [])],
    mounts: [...visible(base), { from: realpathSync(root), to: join(WORKSPACE, name) }],
    path: [join(WORKSPACE, name, "bin")],
    env: {},
  };
}

function installed(prefix: string, { HOME }: PythonEnvironment): Interpreter | null {
  const program = join(prefix, "bin/python3");
  if (!existsSync(program)) return null;
  const series = /python(3\.\d+)/.exec(realpathSync(program))?.[1] ?? "3";
  const personal = HOME === undefined ? undefined : join(HOME, ".local/lib", `python${series}/site-packages`);
  const hasPersonal = personal !== undefined && existsSync(personal);
  const packages = [
    join(prefix, "lib", `python${series}`, "site-packages"),
    ...(prefix === "/usr" ? ["/usr/lib/python3/dist-packages", `/usr/local/lib/python${series}/dist-packages`] : []),
    ...(hasPersonal ? [personal] : []),
  ];
  return {
    label: program,
    prefix,
    isVirtual: false,
    version: /\/(3\.\d+\.\d+)[^/]*$/.exec(prefix)?.[1] ?? series,
    packages,
    mounts: [...visible(prefix), ...(hasPersonal ? [{ from: realpathSync(personal), to: personal }] : [])],
    path: prefix === "/usr" ? [] : [join(prefix, "bin")],
    env: hasPersonal ? { PYTHONUSERBASE: join(HOME ?? "/", ".local") } : {},
  };
}

/** /usr is visible anyway. */
const visible = (prefix: string): Mount[] =>
  prefix === "/usr" || prefix.startsWith("/usr/") || !existsSync(prefix)
    ? []
    : [{ from: realpathSync(prefix), to: prefix }];

const libraries = (root: string) =>
  list(join(root, "lib"))
    .filter((name) => name.startsWith("python3"))
    .map((name) => join(root, "lib", name));

const setting = (config: string, name: string) => new RegExp(`^${name} *= *(.+)$`, "m").exec(config)?.[1]?.trim();

/** From the metadata that installers leave beside a package; null when the package is not there. */
function versionOf(name: string, packages: string[]): string | null {
  for (const directory of packages) {
    if (!existsSync(join(directory, name)) && !existsSync(join(directory, `${name}.py`))) continue;
    const metadata = new RegExp(`^${name}-(\\d[^-]*)\\.(dist|egg)-info$`);
    return (
      list(directory)
        .map((entry) => metadata.exec(entry)?.[1])
        .find((version) => version !== undefined) ?? "unknown"
    );
  }
  return null;
}

function noPytest(interpreters: Interpreter[]) {
  const first = interpreters[0];
  if (!first) {
    return fail(
      "environment",
      "environment.python",
      "there is no Python 3: apt-get install python3 python3-pytest python3-hypothesis",
    );
  }
  const install = first.path[0]?.startsWith(WORKSPACE)
    ? `${first.label}/bin/python3 -m pip install pytest hypothesis`
    : "apt-get install python3-pytest python3-hypothesis";
  const looked = interpreters.map(({ label }) => label).join(", ");
  return fail("environment", "environment.pytest", `pytest is not installed (looked at ${looked}): ${install}`);
}
