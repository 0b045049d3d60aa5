import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseDocument } from "yaml";
import { fail } from "../domain/failure.ts";
import { AlwaysRule } from "../domain/settings/always-rule.ts";
import { filesIn, userDirectory } from "./config-places.ts";
import type { Environment } from "./environment-layer.ts";
import { parseYaml } from "./parse-yaml.ts";
import { readText } from "./read-text.ts";

/** Whose settings a rule is written into. */
export interface RuleKeeper {
  env: Environment;
  home: string;
}

const PLACE = ["safety", "always"];

/**
 * Writes a rule into the person's own settings, and returns the file. A project's settings come with the project, so
 * they could not say what is safe.
 */
export function keepRule(rule: AlwaysRule, { env, home }: RuleKeeper): string {
  const directory = userDirectory(env, home);
  const files = filesIn(directory);
  const file = files.findLast((one) => rulesIn(one) !== undefined) ?? files.at(-1) ?? join(directory, "config.yaml");
  const rules = rulesIn(file) ?? [];
  if (rules.some((known) => JSON.stringify(known) === JSON.stringify(AlwaysRule.parse(rule)))) return file;
  const document = parseDocument(readText(file) ?? "");
  try {
    document.setIn(PLACE, [...rules, rule]);
    const text = document.toString();
    parseYaml(text, file);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch (cause) {
    throw fail(
      "environment",
      "config.unwritable",
      "the rule could not be written into your settings; nothing was answered",
      { cause },
    );
  }
  return file;
}

function rulesIn(file: string): AlwaysRule[] | undefined {
  const text = readText(file);
  return text === undefined ? undefined : parseYaml(text, file).value.safety?.always;
}
