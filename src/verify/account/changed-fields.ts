import { isDeepStrictEqual } from "node:util";
import { readJson } from "../../domain/json.ts";
import { testFields } from "../locks/test-settings.ts";

/** Fields that describe a package to people: no program behaves otherwise with them. */
const DESCRIBING = new Set([
  ...["version", "description", "keywords", "author", "contributors", "maintainers", "homepage", "bugs"],
  ...["license", "funding", "repository"],
]);

/** Which fields of a `package.json` are another, apart from those about tests and those that only describe. */
export function changedFields(before: string | null, after: string | null): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  if (old === null || now === null) return before === after ? [] : ["all"];
  const tests = new Set([...testFields("package.json", before), ...testFields("package.json", after)]);
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => !DESCRIBING.has(name) && !tests.has(name))
    .filter((name) => !isDeepStrictEqual(old.get(name), now.get(name)))
    .sort();
}

/** By name; scripts by `scripts.name`. Null when it cannot be read. */
function fieldsOf(text: string | null): Map<string, unknown> | null {
  if (text === null) return new Map();
  const manifest = readJson(text);
  if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest)) return null;
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(manifest)) {
    if (name === "scripts" && typeof value === "object" && value !== null) {
      for (const [script, command] of Object.entries(value)) fields.set(`scripts.${script}`, command);
    } else fields.set(name, value);
  }
  return fields;
}
