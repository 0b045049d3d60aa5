import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fail } from "../domain/failure.ts";
import { checkTemplate, Template } from "../domain/plan/template.ts";
import { didYouMean } from "./did-you-mean.ts";
import { parseYamlAs } from "./parse-yaml.ts";
import { readText } from "./read-text.ts";

/** Directories of templates. The person's own and a trusted project's come before the shipped ones. */
export const templatePlaces = (root: string, overrides: string[]): string[] =>
  [...overrides, join(root, "config")].map((directory) => join(directory, "templates"));

/** Every template by its name. The first directory that has it wins. */
export function listTemplates(places: string[]): Template[] {
  const found = new Map<string, Template>();
  for (const place of places) {
    for (const file of filesIn(place)) {
      const template = readTemplateFile(file);
      if (template && !found.has(template.name)) found.set(template.name, template);
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function readTemplate(places: string[], name: string): Template {
  for (const place of places) {
    const file = filesIn(place).find((path) => basename(path, ".yaml") === name);
    const template = file === undefined ? undefined : readTemplateFile(file);
    if (template) return template;
  }
  const names = places.flatMap(filesIn).map((file) => basename(file, ".yaml"));
  const hint = didYouMean(name, names);
  throw fail(
    "invalid-input",
    "template.unknown",
    `there is no template ${name}${hint}; \`miracle templates\` lists them`,
  );
}

/** Reads and checks a template. Its name must be the name of its file. */
function readTemplateFile(file: string): Template | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const { value } = parseYamlAs(Template, text, file);
  const problems = checkTemplate(value);
  if (value.name !== basename(file, ".yaml")) problems.unshift(`its name is ${value.name}, its file says otherwise`);
  const [first, ...others] = problems.map((problem) => `${file}: ${problem}`);
  if (first === undefined) return value;
  throw fail("invalid-input", "template.invalid", first, others.length > 0 ? { detail: others.join("\n") } : {});
}

function filesIn(place: string): string[] {
  try {
    return readdirSync(place)
      .filter((name) => name.endsWith(".yaml"))
      .sort()
      .map((name) => join(place, name));
  } catch {
    return [];
  }
}
