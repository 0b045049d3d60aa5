import type { Command } from "commander";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { listTemplates, readTemplate, templatePlaces } from "../../config/templates.ts";
import type { Template } from "../../domain/plan/template.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { printable } from "../text/printable.ts";

const HELP = `
Your own templates are YAML files in ~/.config/miracle/templates/, or in .miracle/templates/ of a project you trust; one of
the same name goes before ours. A template that is complete needs no goal and asks no planner.
Without -p, a goal that names a kind of project (“a REST API”, “a CLI”), or a project whose manifest does, gets the advice of
that template for the roles and nothing else of it (of a trading strategy all of it); the run says so, and -p none turns
it off. What a template that you name demands is in the plan, unless your words rule it out.

Examples:
  miracle templates trading_strategy
  miracle run --template trading_strategy --set symbol=GOLD --set stop=1.5
  miracle run --template web_app "A shop for pears"`;

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--json", "as JSON")
    .addHelpText("after", HELP)
    .action(async (name: string | undefined, { json }: { json?: boolean }) => {
      const { env, home, directory, output } = terminal;
      const { promptOverrides } = await loadConfig({ directory, env, home, root: packageRoot(), flags: {} });
      const places = templatePlaces(packageRoot(), promptOverrides);
      if (name !== undefined) {
        const template = readTemplate(places, name);
        const lines = json ? [JSON.stringify(template)] : describe(template).map(printable);
        output.write(`${lines.join("\n")}\n`);
        return;
      }
      const templates = listTemplates(places);
      const width = Math.max(0, ...templates.map((template) => template.name.length));
      for (const template of templates) {
        const line = `${template.name.padEnd(width)}  ${template.summary}`;
        output.write(`${json ? JSON.stringify(template) : printable(line)}\n`);
      }
    });
}

function describe(template: Template): string[] {
  const parameters = Object.entries(template.parameters).map(([name, { description, default: value }]) => {
    return `  ${name}: ${description}${value === undefined ? " (needed)" : ` (${value})`}`;
  });
  const section = (title: string, lines: string[]) => (lines.length > 0 ? [title, ...lines] : []);
  return [
    `${template.name}: ${template.summary}`,
    template.complete ? "complete: needs no goal" : "a skeleton: say what is to be built",
    ...section("parameters (--set name=value)", parameters),
    ...section(
      "requirements",
      template.requirements.map(({ id, text }) => `  ${id} ${text}`),
    ),
    ...section(
      "todos",
      template.todos.map(({ id, title, dependsOn }) => {
        return `  ${id}: ${title}${dependsOn.length > 0 ? ` (after ${dependsOn.join(", ")})` : ""}`;
      }),
    ),
    ...section(
      "files it starts with",
      Object.keys(template.files).map((path) => `  ${path}`),
    ),
  ];
}
