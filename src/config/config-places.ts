import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "./environment-layer.ts";

/** The files of a folder, lowest first. Each may hold any key. */
const NAMES = ["settings.yaml", "models.yaml", "prices.yaml", "database.yaml", "config.yaml"];

export const userDirectory = (env: Environment, home: string): string =>
  join(env.XDG_CONFIG_HOME || join(home, ".config"), "miracle");

/** The nearest `.miracle` from this directory up to the root of its repository. */
export function projectDirectory(directory: string): string | undefined {
  for (let current = directory; ; current = dirname(current)) {
    const candidate = join(current, ".miracle");
    if (existsSync(candidate)) return candidate;
    if (existsSync(join(current, ".git")) || dirname(current) === current) return undefined;
  }
}

export const filesIn = (directory: string): string[] => NAMES.map((name) => join(directory, name));
