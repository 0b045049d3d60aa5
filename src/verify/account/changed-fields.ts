import { isDeepStrictEqual } from "node:util";
import { readJson } from "../../domain/json.ts";

/** Fields that describe a package to people: no program behaves otherwise with them, unless it reads them itself. */
const DESCRIBING = new Set([
  ...["version", "description", "keywords", "author", "contributors", "maintainers", "homepage", "bugs"],
  ...["license", "funding", "repository"],
]);

/**
 * Which fields of a `package.json` are another, apart from those that only describe. `isRead`: whether code asks for one.
 * The first condition of `exports` that fits is taken, so an order is a value; packages have none.
 */
export function changedFields(
  before: string | null,
  after: string | null,
  isRead: (field: string) => boolean = () => false,
): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  if (old === null || now === null) return before === after ? [] : ["all"];
  const isSame = (name: string) =>
    /dependenc/i.test(name)
      ? isDeepStrictEqual(old.get(name), now.get(name))
      : JSON.stringify(old.get(name)) === JSON.stringify(now.get(name));
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => (!DESCRIBING.has(name) || isRead(name)) && !isSame(name))
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
