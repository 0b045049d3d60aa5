import { join } from "node:path";
import type { Command } from "commander";
import type { ConfigFlags } from "../../config/flags.ts";
import { leaves, mergeLayers, sourceOf, valueAt } from "../../config/layers.ts";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { overriddenPrompts } from "../../config/prompts.ts";
import { Role } from "../../domain/message.ts";
import { workingDirectory } from "../input/directory.ts";
import { addSettingOptions } from "../input/options.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { say } from "../terminal/paint.ts";

interface Flags extends ConfigFlags {
  dir?: string;
  schema?: boolean;
  prices?: boolean;
  json?: boolean;
}

export function define(command: Command, { terminal }: CommandContext): void {
  addSettingOptions(command)
    .option("--dir <path>", "as for a run in this directory")
    .option("--prices", "also the prices of models")
    .option("--schema", "print the JSON Schema of a config file, for editors")
    .option("--json", "as JSON")
    .addHelpText("after", "\nTakes the same flags as `run`, to see what they would do.")
    .action(async (flags: Flags) => {
      const { output, env, home } = terminal;
      if (flags.schema) {
        const { configJsonSchema } = await import("../../config/json-schema.ts");
        output.write(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
        return;
      }
      const directory = workingDirectory(terminal.directory, flags.dir);
      const config = await loadConfig({ directory, env, home, root: packageRoot(), flags });
      const prompts = overriddenPrompts(config.promptOverrides);
      const { unreadVariables } = await import("../../config/environment-layer.ts");
      for (const warning of [...config.warnings, ...unreadVariables(env)]) say(terminal, `warning: ${warning}`);
      for (const file of prompts.unused) say(terminal, `warning: ${file} is the prompt of no role: ${ROLES}`);
      const merged = mergeLayers(config.layers);
      const paths = leaves(merged).filter(([first]) => flags.prices || first !== "prices");
      const rows = paths.map((path) => ({
        key: path.join("."),
        value: valueAt(merged, path),
        source: sourceOf(config.layers, path) ?? "",
      }));
      const shipped = join(packageRoot(), "config");
      const own = prompts.inForce.map(({ role, file }) => ({ key: `prompts.${role}`, value: "yours", source: file }));
      if (flags.json) output.write(`${JSON.stringify([...rows, ...own])}\n`);
      else output.write(asTable([...rows, ...own], shipped));
      if (!flags.prices && !flags.json) terminal.error.write("prices of models: miracle config --prices\n");
    });
}

const ROLES = `the roles are ${Role.options.join(", ")}`;

interface Row {
  key: string;
  value: unknown;
  source: string;
}

/** Where a value comes from matters where somebody said it. */
function asTable(rows: Row[], shipped: string): string {
  const cells = rows.map(({ key, value, source }) => {
    const from = source.startsWith(shipped) ? "as it ships" : source;
    return [`${key}: ${JSON.stringify(value)}`, from] as const;
  });
  const width = Math.min(60, Math.max(...cells.map(([text]) => text.length)));
  return cells.map(([text, source]) => `${text.padEnd(width)}  # ${source}\n`).join("");
}
