import { isDeepStrictEqual } from "node:util";
import { readJson } from "../../domain/json.ts";
import { readToml, table } from "../locks/test-settings.ts";

/** Fields that describe a package to people: no program behaves otherwise with them, unless it reads them itself. */
const DESCRIBING = new Set([
  ...["version", "description", "keywords", "author", "contributors", "maintainers", "homepage", "bugs"],
  ...["license", "funding", "repository"],
  // Python says these.
  ...["authors", "classifiers", "urls", "documentation"],
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
  return old === null || now === null ? (before === after ? [] : ["all"]) : differing(old, now, isRead);
}

type Fields = ReadonlyMap<string, unknown>;

function differing(old: Fields, now: Fields, isRead: (field: string) => boolean): string[] {
  const isSame = (name: string) =>
    /dependenc/i.test(name)
      ? isDeepStrictEqual(old.get(name), now.get(name))
      : JSON.stringify(old.get(name)) === JSON.stringify(now.get(name));
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => {
      const field = name.replace(/^(project|tool\.poetry)\./, "");
      return (!DESCRIBING.has(field) || isRead(field) || isRefused(field, now.get(name))) && !isSame(name);
    })
    .sort();
}

/** What those who make or publish packages do not take. */
function isRefused(field: string, value: unknown): boolean {
  if (field === "version") return !(typeof value === "string" && /^v?\d[\w.+!-]*$/.test(value));
  return field === "classifiers" && JSON.stringify(value ?? []).includes("Private ::");
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

/** The same of a `pyproject.toml`, by table: `project.scripts`, `tool.black`. Null where one cannot be read. */
export function changedTables(
  before: string | null,
  after: string | null,
  isRead: (field: string) => boolean,
): string[] | null {
  const [old, now] = [tablesOf(before), tablesOf(after)];
  if (old === null || now === null) return null;
  return differing(old, now, isRead);
}

function tablesOf(text: string | null): Fields | null {
  const read = text === null ? null : readToml(text);
  if (read === null) return null;
  const { project, tool, ...others } = read;
  const { poetry, ...tools } = table(tool);
  const named = (prefix: string, fields: Record<string, unknown>) =>
    Object.entries(fields).map(([name, value]): [string, unknown] => [prefix + name, value]);
  return new Map([
    ...named("", others),
    ...named("project.", table(project)),
    ...named("tool.poetry.", table(poetry)),
    ...named("tool.", tools),
  ]);
}
