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
