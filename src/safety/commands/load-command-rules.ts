import { loadDependencyRules } from "../dependencies/load-dependency-rules.ts";
import { shippedRules } from "../rules/shipped-rules.ts";
import { type CommandRules, CommandRulesFile } from "./command-rules.ts";

/** The rules that ship, from `config/safety` below the package's root. */
export async function loadCommandRules(root: string): Promise<CommandRules> {
  const [commands, dependencies] = await Promise.all([
    shippedRules(CommandRulesFile, root, "commands"),
    loadDependencyRules(root),
  ]);
  return { ...commands, dependencies };
}
