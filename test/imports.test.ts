import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../src/config/package-root.ts";

/** A folder may import every folder behind it, and none before it. */
const ORDER = [
  "cli",
  "server",
  "app.ts",
  "app",
  "engine",
  "agents",
  "verify",
  "languages",
  "memory",
  "safety",
  "sandbox",
  "syntax",
  "workspace",
  "llm",
  "journal",
  "store",
  "queue",
  "bus",
  "domain",
  "faults.ts",
];

/** Beside the order: what only the outermost parts use, and what these may use themselves. */
const OUTSIDE = {
  config: { usedBy: ["cli", "server", "app.ts", "app"], uses: ["domain"] },
  logs: { usedBy: ["cli", "server", "app.ts", "app"], uses: ["bus", "domain"] },
};

/** Files that stand for one way of doing what a port promises. */
const ADAPTERS = [
  "store/sqlite.ts",
  "store/open-postgres.ts",
  "sandbox/open-sandbox.ts",
  "sandbox/bubblewrap.ts",
  "sandbox/no-sandbox.ts",
  "sandbox/docker/docker.ts",
  "llm/open-model.ts",
  "llm/open-provider.ts",
  "llm/ledger.ts",
];

interface Import {
  from: string;
  to: string;
}

const source = join(packageRoot(), "src");
/** The composition root, and the parts it is made of. */
const isApp = (file: string): boolean => file === "app.ts" || partOf(file) === "app";

const files = globSync("**/*.ts", { cwd: source }).filter((file) => !file.endsWith(".test.ts"));
const imports = files.flatMap(importsOf);

describe("the arrows of import", () => {
  test("are really read", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(imports).toContainEqual({ from: "cli/open-app.ts", to: "app.ts" });
    expect(imports).toContainEqual({ from: "cli/command-table.ts", to: "cli/commands/run.ts" });
    expect(imports).toContainEqual({ from: "bus/bus.ts", to: "domain/event.ts" });
  });

  test("lead to files that exist", () => {
    expect(imports.filter(({ to }) => !files.includes(to))).toEqual([]);
  });

  test("know every folder", () => {
    const known = [...ORDER, ...Object.keys(OUTSIDE)];
    expect([...new Set(files.map(partOf))].filter((part) => !known.includes(part))).toEqual([]);
  });

  test("point down only", () => {
    expect(imports.filter(({ from, to }) => !isAllowed(partOf(from), partOf(to)))).toEqual([]);
  });

  test("form no circle of folders", () => {
    const arrows = new Map<string, Set<string>>();
    for (const { from, to } of imports) {
      const [part, other] = [partOf(from), partOf(to)];
      if (part !== other) arrows.set(part, (arrows.get(part) ?? new Set()).add(other));
    }
    expect(circle(arrows)).toBeUndefined();
  });

  test("leave the choice of adapters to app.ts and its folder", () => {
    const product = reachableFrom("cli/main.ts");
    const chosen = imports.filter(({ from, to }) => ADAPTERS.includes(to) && partOf(from) !== partOf(to));
    expect(chosen.filter(({ from }) => product.has(from) && !isApp(from))).toEqual([]);
    expect(chosen.some(({ from }) => isApp(from))).toBe(true);
    expect(ADAPTERS.filter((file) => !files.includes(file))).toEqual([]);
  });

  test("never lead from the domain to anything of ours", () => {
    expect(imports.filter(({ from, to }) => partOf(from) === "domain" && partOf(to) !== "domain")).toEqual([]);
  });
});

function isAllowed(from: string, to: string): boolean {
  if (from === to) return true;
  for (const [part, { usedBy, uses }] of Object.entries(OUTSIDE)) {
    if (to === part) return usedBy.includes(from);
    if (from === part) return uses.includes(to);
  }
  return ORDER.indexOf(from) < ORDER.indexOf(to);
}

/** Static imports, type imports, re-exports and `import()`, of files of ours. */
function importsOf(file: string): Import[] {
  const { program } = parseSync(file, readFileSync(join(source, file), "utf8"), { lang: "ts" });
  const found: string[] = [];
  const take = (node: { source?: unknown }) => {
    const { source: literal } = node;
    if (typeof literal === "object" && literal !== null && "value" in literal) found.push(String(literal.value));
  };
  new Visitor({
    ImportDeclaration: take,
    ExportNamedDeclaration: take,
    ExportAllDeclaration: take,
    ImportExpression: take,
    TSImportType: take,
  }).visit(program);
  return found
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => ({ from: file, to: relative(source, join(source, dirname(file), specifier)) }));
}

/** What is only there for tests is not among them. */
function reachableFrom(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const { from, to } of imports) if (from === file) reachableFrom(to, found);
  return found;
}

const partOf = (file: string): string => file.split("/")[0] ?? "";

/** The parts of a circle, or undefined. */
function circle(arrows: Map<string, Set<string>>): string[] | undefined {
  const done = new Set<string>();
  const walk = (part: string, path: string[]): string[] | undefined => {
    if (path.includes(part)) return [...path.slice(path.indexOf(part)), part];
    if (done.has(part)) return undefined;
    for (const next of arrows.get(part) ?? []) {
      const found = walk(next, [...path, part]);
      if (found) return found;
    }
    done.add(part);
    return undefined;
  };
  for (const part of arrows.keys()) {
    const found = walk(part, []);
    if (found) return found;
  }
  return undefined;
}
