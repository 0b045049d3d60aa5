import { z } from "zod";
import { readToml } from "./read-toml.ts";
import { isByName } from "./requirement-files.ts";

const Lists = z.record(z.string(), z.array(z.unknown()).catch([]));
const Table = z.record(z.string(), z.unknown());
const Pyproject = z.object({
  project: z
    .object({
      name: z.string().optional(),
      dependencies: z.array(z.string()).catch([]),
      "optional-dependencies": Lists.catch({}),
    })
    .partial()
    .optional()
    .catch(undefined),
  "dependency-groups": Lists.optional().catch(undefined),
  tool: z
    .object({
      uv: z.object({ "dev-dependencies": z.array(z.string()).catch([]) }).partial(),
      poetry: z
        .object({ dependencies: Table, "dev-dependencies": Table, group: z.record(z.string(), Table) })
        .partial(),
    })
    .partial()
    .optional()
    .catch(undefined),
});

/** Extras and groups that tests need, by what people call them. */
export const FOR_TESTS = /^((unit|all)[-_]?)?(tests?|testing|pytest|dev|develop|development|ci)$/i;

/** Requirements of a pyproject.toml: the project's own (`own` has them alone), and those of its extras and groups for tests. */
export function readPyproject(text: string): { lines: string[]; own: string[]; left: string[] } {
  const { project, "dependency-groups": groups = {}, tool } = Pyproject.safeParse(readToml(text)).data ?? {};
  const extras = project?.["optional-dependencies"] ?? {};
  const wanted = (lists: Record<string, unknown[]>) => Object.keys(lists).filter((name) => FOR_TESTS.test(name));
  const raw = [
    ...(project?.dependencies ?? []),
    ...wanted(extras).flatMap((name) => listed(extras, name, ownExtra(project?.name))),
    ...wanted(groups).flatMap((name) => listed(groups, name, includedGroup)),
    ...(tool?.uv?.["dev-dependencies"] ?? []),
    ...poetryLines(tool?.poetry),
  ];
  const lines = [...new Set(raw.map((line) => line.trim()))];
  return {
    lines: lines.filter(isByName),
    own: [...(project?.dependencies ?? []), ...linesIn(tool?.poetry?.dependencies ?? {})],
    left: lines.filter((line) => !isByName(line)).map((line) => `pyproject.toml: ${line}`),
  };
}

/** One list, with the lists that it includes in their places. */
function listed(
  lists: Record<string, unknown[]>,
  name: string,
  included: (item: unknown) => string[] | null,
  seen: ReadonlySet<string> = new Set(),
): string[] {
  const found = Object.keys(lists).find((key) => plainName(key) === plainName(name));
  if (found === undefined || seen.has(found)) return [];
  return (lists[found] ?? []).flatMap((item) => {
    const others = included(item);
    if (others) return others.flatMap((other) => listed(lists, other, included, new Set([...seen, found])));
    return typeof item === "string" ? [item] : [];
  });
}

const Include = z.object({ "include-group": z.string() });
const includedGroup = (item: unknown): string[] | null => {
  const found = Include.safeParse(item).data;
  return found ? [found["include-group"]] : null;
};

/** `humanize[tests]` in humanize's own extras. */
const ownExtra =
  (project: string | undefined) =>
  (item: unknown): string[] | null => {
    const [, name = "", extras = ""] = /^([\w.-]+)\s*\[([^\]]*)\]$/.exec(typeof item === "string" ? item : "") ?? [];
    return project !== undefined && name !== "" && plainName(name) === plainName(project)
      ? extras.split(/\s*,\s*/)
      : null;
  };

/** PEP 503: case, and runs of `-`, `_`, `.` make no difference. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");

type Poetry = NonNullable<NonNullable<z.infer<typeof Pyproject>["tool"]>["poetry"]>;

function poetryLines(poetry: Poetry | undefined): string[] {
  const groups = Object.entries(poetry?.group ?? {}).filter(([name]) => FOR_TESTS.test(name));
  const tables = [
    poetry?.dependencies ?? {},
    poetry?.["dev-dependencies"] ?? {},
    ...groups.map(([, group]) => Table.safeParse(group.dependencies).data ?? {}),
  ];
  return tables.flatMap(linesIn);
}

const linesIn = (table: Record<string, unknown>): string[] =>
  Object.entries(table).flatMap(([name, value]) => poetryLine(name, value));

const Constraint = z.object({
  version: z.string().default("*"),
  extras: z.array(z.string()).default([]),
  optional: z.boolean().default(false),
});

function poetryLine(name: string, value: unknown): string[] {
  if (name === "python") return [];
  const { version, extras, optional } = Constraint.safeParse(typeof value === "string" ? { version: value } : value)
    .data ?? {
    version: "*",
    extras: [],
    optional: false,
  };
  if (optional) return [];
  return [`${name}${extras.length > 0 ? `[${extras.join(",")}]` : ""}${asSpecifier(version)}`];
}

/** `^1.2`, `~1.2`, `1.2` and `*` as pip writes them. */
function asSpecifier(version: string): string {
  const parts = version.split(/\s*,\s*/).flatMap((part) => {
    const [, sign = "", digits = ""] = /^([\^~]?)(\d+(?:\.\d+)*)$/.exec(part.trim()) ?? [];
    if (digits === "") return part === "*" || part === "" ? [] : [part];
    if (sign === "") return [`==${digits}`];
    const numbers = digits.split(".").map(Number);
    const first = numbers.findIndex((number) => number > 0);
    const kept = sign === "~" ? Math.min(1, numbers.length - 1) : Math.max(0, first);
    const next = numbers.slice(0, kept + 1).map((number, index) => (index === kept ? number + 1 : number));
    return [`>=${digits}`, `<${next.join(".")}`];
  });
  return parts.join(",");
}
