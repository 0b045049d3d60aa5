import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { fail } from "../../domain/failure.ts";
import { readJson } from "../../domain/json.ts";
import { WORKSPACE } from "../../sandbox/sandbox.ts";
import { fingerprint, list, read } from "../fingerprint.ts";
import type { Toolchain } from "../language.ts";

export interface NodeProgram {
  /** The Node that runs us, which is the one the tests get. */
  execPath: string;
  version: string;
}

const Package = z.lazy(() =>
  z.object({
    scripts: z.record(z.string(), z.string()).optional().catch(undefined),
    devDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
    workspaces: z.unknown().optional(),
  }),
);

const LOCK_FILES = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock"];

/** Node, the project's node_modules at their places, and the test runner its package.json speaks of. */
export function findNode(directory: string, node: NodeProgram): Toolchain {
  const { mounts, path } = nodeItself(node);
  const text = read(join(directory, "package.json"));
  const manifest = Package.safeParse(readJson(text));
  const { script, runner } = testCommandOf(text);
  const dependencies = dependencyDirectories(directory, manifest.data?.workspaces !== undefined);
  const versions: Record<string, string> = { node: node.version };
  for (const name of ["vitest", "jest", "mocha", "fast-check", "typescript"]) {
    const version = versionOf(join(directory, "node_modules", name));
    if (version !== null) versions[name] = version;
  }
  if (dependencies.length > 0) {
    const locks = [
      ...LOCK_FILES.map((name) => join(directory, name)),
      join(directory, "node_modules/.package-lock.json"),
    ];
    versions.dependencies = fingerprint(dependencies, locks);
  }
  if (runner !== "node:test" && !existsSync(join(directory, "node_modules"))) throw notInstalled(directory, script);
  return {
    mounts: [
      ...mounts,
      ...dependencies.map((from) => ({
        from: realpathSync(from),
        to: join(WORKSPACE, relative(directory, from)),
      })),
    ],
    path: [...path, `${WORKSPACE}/node_modules/.bin`],
    env: { NO_COLOR: "1" },
    versions,
    runner,
    script,
  };
}

/** The interpreter alone, for commands of a project in another language. */
export function nodeItself({ execPath }: NodeProgram): Pick<Toolchain, "mounts" | "path"> {
  const program = realpathSync(execPath);
  const directory = dirname(program);
  if (program.startsWith("/usr/")) return { mounts: [], path: [directory] };
  // `…/bin/node` brings npm and its libraries beside it; anywhere else the directory is all we know.
  const root = directory.endsWith("/bin") ? dirname(directory) : directory;
  return { mounts: [{ from: root, to: root }], path: [directory] };
}

/** What a package.json says of its tests. */
export function testCommandOf(text: string): { script: string | null; runner: string } {
  const manifest = Package.safeParse(readJson(text));
  const written = manifest.data?.scripts?.test ?? null;
  const script = written !== null && /no test specified/.test(written) ? null : written;
  if (script !== null) return { script, runner: runnerOf(script) };
  const installed = ["vitest", "jest", "mocha"].find((name) => manifest.data?.devDependencies?.[name] !== undefined);
  return { script: installed ?? null, runner: installed ?? "node:test" };
}

function runnerOf(script: string): string {
  if (/\bvitest\b/.test(script)) return "vitest";
  const command = ONE_COMMAND.exec(script)?.groups?.runner;
  if (command) return command;
  return /\bnode\b.*\s--test\b/.test(script) ? "node:test" : "script";
}

/** One command that takes our options behind its own: `NODE_OPTIONS=--experimental-vm-modules npx jest --runInBand`. */
const ONE_COMMAND = /^[^;&|]*(^|[\s/])(?<runner>jest|mocha)(\.js)?(\s[^;&|]*)?$/;

/** The root's, and in a monorepo those of its packages. */
function dependencyDirectories(directory: string, isMonorepo: boolean): string[] {
  const several = isMonorepo || existsSync(join(directory, "pnpm-workspace.yaml"));
  const packages = several ? packagesBelow(directory, 2) : [];
  return [directory, ...packages].map((path) => join(path, "node_modules")).filter((path) => existsSync(path));
}

function packagesBelow(directory: string, depth: number): string[] {
  if (depth === 0) return [];
  return list(directory)
    .filter((name) => name !== "node_modules" && !name.startsWith("."))
    .map((name) => join(directory, name))
    .flatMap((path) => [...(existsSync(join(path, "package.json")) ? [path] : []), ...packagesBelow(path, depth - 1)]);
}

function versionOf(packageDirectory: string): string | null {
  const manifest = z.object({ version: z.string() }).safeParse(readJson(read(join(packageDirectory, "package.json"))));
  return manifest.data?.version ?? null;
}

const notInstalled = (directory: string, script: string | null) =>
  fail(
    "environment",
    "environment.dependencies",
    `the tests of ${directory} need its packages (\`${script}\`) and there is no node_modules: run npm install there`,
  );
