import type { Command } from "commander";
import type { ConfigFlags } from "../../config/flags.ts";
import { leaves, mergeLayers, sourceOf, valueAt } from "../../config/layers.ts";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { workingDirectory } from "../input/directory.ts";
import { addSettingOptions } from "../input/options.ts";
import type { CommandContext } from "../terminal/command-context.ts";

interface Flags extends ConfigFlags {
  dir?: string;
  schema?: boolean;
  json?: boolean;
}

export function define(command: Command, { terminal }: CommandContext): void {
  addSettingOptions(command)
    .option("--dir <path>", "as for a run in this directory")
    .option("--schema", "print the JSON Schema of a config file, for editors")
    .option("--json", "as JSON")
    .addHelpText("after", "\nTakes the same flags as `run`, to see what they would do.")
    .action(async (flags: Flags) => {
      const { output, error, env, home } = terminal;
      if (flags.schema) {
        const { configJsonSchema } = await import("../../config/json-schema.ts");
        output.write(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
        return;
      }
      const directory = workingDirectory(terminal.directory, flags.dir);
      const config = await loadConfig({ directory, env, home, root: packageRoot(), flags });
      const { unreadVariables } = await import("../../config/environment-layer.ts");
      for (const warning of [...config.warnings, ...unreadVariables(env)]) error.write(`warning: ${warning}\n`);
      const merged = mergeLayers(config.layers);
      const rows = leaves(merged).map((path) => ({
        key: path.join("."),
        value: valueAt(merged, path),
        source: sourceOf(config.layers, path) ?? "",
      }));
      if (flags.json) output.write(`${JSON.stringify(rows)}\n`);
      else output.write(asTable(rows));
    });
}

interface Row {
  key: string;
  value: unknown;
  source: string;
}

function asTable(rows: Row[]): string {
  const cells = rows.map(({ key, value, source }) => [`${key}: ${JSON.stringify(value)}`, source] as const);
  const width = Math.min(60, Math.max(...cells.map(([text]) => text.length)));
  return cells.map(([text, source]) => `${text.padEnd(width)}  # ${source}\n`).join("");
}
