import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { fail } from "../../domain/failure.ts";
import { readJson } from "../../domain/json.ts";
import { WORKSPACE } from "../../sandbox/sandbox.ts";
import { fingerprint, list, read } from "../fingerprint.ts";
import type { Toolchain } from "../language.ts";
import { otherRunners, testCommandOf } from "./test-script.ts";

export interface NodeProgram {
  /** The Node that runs us, which is the one the tests get. */
  execPath: string;
  version: string;
}

const Package = z.lazy(() =>
  z.object({
    workspaces: z.unknown().optional(),
  }),
);

/** Packages whose version is said. */
const INFLUENTIAL = [
  ...["vitest", "@vitest/coverage-v8", "jest", "mocha", "ava", "tap", "tape", "uvu", "fast-check", "typescript"],
];
const LOCK_FILES = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock"];

/**
 * Node, the project's node_modules at their places, and the test runner its package.json speaks of. `built` is a directory
 * with packages of ours, which stand for the project's.
 */
export function findNode(directory: string, node: NodeProgram, built = directory): Toolchain {
  const { mounts, path } = nodeItself(node);
  const text = read(join(directory, "package.json"));
  const manifest = Package.safeParse(readJson(text));
  const command = testCommandOf(text);
  const { script, runner } = command;
  // In a directory of ours there is nothing but manifests and packages.
  const depth = built === directory ? 2 : 5;
  const dependencies = dependencyDirectories(built, manifest.data?.workspaces !== undefined, depth);
  const versions: Record<string, string> = { node: node.version };
  for (const name of INFLUENTIAL) {
    const version = versionOf(join(built, "node_modules", name));
    if (version !== null) versions[name] = version;
  }
  if (dependencies.length > 0) {
    const locks = [...LOCK_FILES.map((name) => join(directory, name)), join(built, "node_modules/.package-lock.json")];
    versions.dependencies = fingerprint(dependencies, locks);
  }
  if (runner !== "node:test" && !existsSync(join(built, "node_modules"))) throw notInstalled(directory, script);
  const others = otherRunners(text);
  if (others.length > 0) versions.note = `of the test script \`${script}\` is run, and not ${others.join(", ")}`;
  const scratch = SCRATCH[runner] ?? [];
  const grown = checksTypes(directory, text) ? dependencies.flatMap(besideTypes) : [];
  return {
    mounts: [
      ...mounts,
      ...dependencies.map((path) => {
        const from = realpathSync(path);
        const beside = grown.map((one) => relative(from, one)).filter((one) => !one.startsWith(".."));
        return {
          from,
          to: join(WORKSPACE, relative(built, path)),
          ...(scratch.length > 0 && { scratch }),
          ...(beside.length > 0 && { beside }),
        };
      }),
    ],
    path: [...path, `${WORKSPACE}/node_modules/.bin`],
    // As in a person's pipe: no variable speaks of colours, and tests of colours are right.
    env: {},
    versions,
    ...command,
  };
}

/** Whether Vitest starts a compiler, too: by its command or its configuration. */
const checksTypes = (directory: string, manifest: string): boolean =>
  /--typecheck\b/.test(manifest) ||
  list(directory).some((name) => VITEST_CONFIG.test(name) && /\btypecheck\b/.test(read(join(directory, name))));

const VITEST_CONFIG = /^(vitest|vite)\.(config|workspace|projects)\.[cm]?[jt]s$/;

/** The compiler's notes for its next run go beside Vitest's own code: to one of these places, by its version. */
function besideTypes(modules: string): string[] {
  const major = Number(versionOf(join(modules, "vitest"))?.split(".")[0]);
  const place = join(modules, "vitest/dist", major === 1 ? "vendor" : major === 2 ? "chunks" : "");
  return existsSync(place) ? [realpathSync(place)] : [];
}

/** Where runners write among the packages; who may run anything may write to the usual place. */
const SCRATCH: Partial<Record<string, string[]>> = {
  vitest: [".vite", ".vite-temp", ".cache"],
  ava: [".cache"],
  tap: [".cache"],
  // A script may run any of them.
  script: [".vite", ".vite-temp", ".cache"],
};

/** All of them. Where they are there as directories, showing the packages costs as little as without. */
export const SCRATCH_NAMES = [...new Set(Object.values(SCRATCH).flatMap((names) => names ?? []))];

/** The interpreter alone, for commands of a project in another language. */
export function nodeItself({ execPath }: NodeProgram): Pick<Toolchain, "mounts" | "path"> {
  const program = realpathSync(execPath);
  const directory = dirname(program);
  if (program.startsWith("/usr/")) return { mounts: [], path: [directory] };
  // `…/bin/node` brings npm and its libraries beside it; anywhere else the directory is all we know.
  const root = directory.endsWith("/bin") ? dirname(directory) : directory;
  return { mounts: [{ from: root, to: root }], path: [directory] };
}

/** The root's, and in a monorepo those of its packages. */
function dependencyDirectories(directory: string, isMonorepo: boolean, depth: number): string[] {
  const several = isMonorepo || existsSync(join(directory, "pnpm-workspace.yaml"));
  const packages = several ? packagesBelow(directory, depth) : [];
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
