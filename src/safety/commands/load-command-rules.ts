import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../domain/failure.ts";
import { DependencyRules } from "../dependencies/dependency-rules.ts";
import { parseRules } from "../parse-rules.ts";
import { type CommandRules, CommandRulesFile } from "./command-rules.ts";

/** The rules that ship, from `config/safety` below the package's root. */
export function loadCommandRules(root: string): CommandRules {
  const commands = join(root, "config", "safety", "commands.yaml");
  return { ...parseRules(CommandRulesFile, readRules(commands), commands), dependencies: loadDependencyRules(root) };
}

export function loadDependencyRules(root: string): DependencyRules {
  const file = join(root, "config", "safety", "dependencies.yaml");
  return parseRules(DependencyRules, readRules(file), file);
}

function readRules(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const message = `${file} is missing: this installation is not complete, install Miracle again`;
    throw fail("environment", "safety.rules-missing", message, { cause: error });
  }
}
