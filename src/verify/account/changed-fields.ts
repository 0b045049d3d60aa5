import { isDeepStrictEqual } from "node:util";
import { readJson } from "../../domain/json.ts";
import { testFields } from "../locks/test-settings.ts";

/** Fields that describe a package to people: no program behaves otherwise with them, unless it reads them itself. */
const DESCRIBING = new Set([
  ...["version", "description", "keywords", "author", "contributors", "maintainers", "homepage", "bugs"],
  ...["license", "funding", "repository"],
]);

/**
 * Which fields of a `package.json` are another, apart from those about tests alone and those that only describe. A script
 * that the tests run before they begin (a build) is there for others, too. `isRead`: whether code asks for a field.
 */
export function changedFields(
  before: string | null,
  after: string | null,
  isRead: (field: string) => boolean = () => false,
): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  if (old === null || now === null) return before === after ? [] : ["all"];
  const fields = [...testFields("package.json", before), ...testFields("package.json", after)];
  const tests = new Set(
    fields.filter((name) => isTestScript(name) || (!name.startsWith("scripts.") && name !== "babel")),
  );
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => (!DESCRIBING.has(name) || isRead(name)) && !tests.has(name))
    .filter((name) => !isDeepStrictEqual(old.get(name), now.get(name)))
    .sort();
}

/** `scripts.test`, `scripts.pretest`, `scripts.test:unit`. */
const isTestScript = (field: string): boolean => /^scripts\.(pre|post)?test($|:)/.test(field);

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
