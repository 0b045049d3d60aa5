/** What no manifest of a project says about its environment: `.miracle/environment.yaml`. */
export interface EnvironmentFile {
  /** Packages of Debian's that must be installed on the machine. They are asked for and never installed. */
  system: string[];
  /** Lines for the shell, after the packages of the manifests, where the environment is built. */
  commands: string[];
  /** For these lines, and for whatever runs in the environment. */
  variables: Record<string, string>;
}

export const ENVIRONMENT_FILE = ".miracle/environment.yaml";

/** They choose what runs the tests and what it loads: a project could steer its judges by them. */
const STEERING =
  /^(PATH|HOME|ENV|IFS|(BASH|SHELL|PYTHON|PYTEST|HYPOTHESIS|NPM_CONFIG|MIRACLE).*|(LD|DYLD|NODE|PIP|UV|YARN|PNPM|GIT)_.*|GO(ROOT|PATH|CACHE|MODCACHE|PROXY|SUMDB|NOSUMDB|NOSUMCHECK|PRIVATE|FLAGS|TOOLCHAIN|WORK|ENV|DEBUG|EXPERIMENT|INSECURE|BIN|MAXPROCS))$/i;

/** Whether a project may not set this variable. */
export const steersTools = (name: string): boolean => STEERING.test(name);
