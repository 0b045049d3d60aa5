import { lstatSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { TestReport } from "../domain/test-report.ts";
import type { Language } from "../languages/language.ts";
import { readReport } from "../languages/read-report.ts";
import { runTests } from "../languages/run-tests.ts";
import { WORKSPACE } from "../sandbox/sandbox.ts";
import { CALLS, REQUEST, RESPONSE, runnerFor, shimFor } from "../verify/held-out/program-shim.ts";
import { readUses } from "../verify/held-out/read-uses.ts";
import { baseTree } from "./base-tree.ts";
import type { EngineParts } from "./parts.ts";

interface PlainFile {
  path: string;
  content: string;
}

/** Tests that talk to a running program, or start it in ways a shim cannot stand in for. */
const NEEDS_ONE_SANDBOX =
  /\bsocket\b|\bhttp\b|\burllib\b|\brequests\b|\bfetch\(|\bnode:net\b|\bPopen\b|\bspawn\(|\bpexpect\b/;

/**
 * The programs that these tests do nothing with but start, where a second sandbox can keep the two apart; null where the
 * tests also import code of the project, or need the program beside them.
 */
export async function programsApart(parts: EngineParts, tree: string, files: PlainFile[]): Promise<string[] | null> {
  const base = baseTree(parts.artifacts, tree);
  const programs = new Set<string>();
  for (const file of files) {
    const uses = await readUses(parts.parsers, file, new Set());
    if (!uses || uses.programs.length === 0 || NEEDS_ONE_SANDBOX.test(file.content)) return null;
    const isOwn = ({ module }: { module: string }) => {
      const [top = ""] = module.split(".");
      return (
        module.startsWith(".") ||
        ["", "src/"].some((root) => base.has(`${root}${top}.py`) || base.hasDirectory(`${root}${top}`))
      );
    };
    if (uses.imports.some(isOwn)) return null;
    for (const program of uses.programs) {
      const bare = program.replace(/^(\.\.?\/)+/, "");
      const found = [bare, `src/${bare}`, bare.replace(/\.py$/, "/__main__.py")].find((path) => base.has(path));
      if (found === undefined) return null;
      programs.add(found);
    }
  }
  return programs.size > 0 ? [...programs] : null;
}

/** Runs tests where the code of the change is not, and the programs they start where no test is. */
export async function runApart(
  parts: EngineParts,
  {
    tree,
    before,
    language,
    files,
    programs,
  }: { tree: string; before: string; language: Language; files: PlainFile[]; programs: string[] },
): Promise<TestReport> {
  const { artifacts, journal, sandbox, signal } = parts;
  const shims = programs.map((path) => ({ path, content: shimFor(path) }));
  const tests = parts.checkouts.named("unseen");
  await tests.renew(artifacts.overlay(journal.task, withoutSources(parts, before, tree), [...shims, ...files]));
  const program = parts.checkouts.named("program");
  const toolchain = await parts.languages.toolchain(language, journal.frozen.request.directory);
  const { limits } = journal.frozen.settings.sandbox;
  const done = new AbortController();
  const paths = artifacts.list(tree).map((entry) => entry.path);
  const bare = artifacts.withoutPaths(
    journal.task,
    tree,
    paths.filter((path) => language.isTestFile(path)),
  );
  const place = join(tests.directory, CALLS);
  const serving = serve(parts, { place, programs, program, tree: bare, toolchain, done: done.signal });
  try {
    const workspace = tests.directory;
    return await runTests({
      language,
      sandbox,
      limits,
      workspace,
      toolchain,
      files: files.map(({ path }) => path),
      signal,
    });
  } finally {
    done.abort();
    await serving;
    program.clear();
    tests.clear();
  }
}

/** The change's data, but none of its code: what it changed of sources is as it was before, or not there. */
function withoutSources({ artifacts, journal }: EngineParts, before: string, tree: string): string {
  const sources = artifacts
    .changes(before, tree)
    .filter(({ path }) => /\.(py|pth|[cm]?[jt]sx?|node|so|sh)$/.test(path));
  return sources.length === 0
    ? tree
    : artifacts.restore(
        journal.task,
        tree,
        before,
        sources.map(({ path }) => path),
      );
}

const Request = z.object({
  program: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  files: z.record(z.string(), z.string()),
  stdin: z.string(),
});
const Response = z.object({
  exitCode: z.int(),
  stdout: z.string(),
  stderr: z.string(),
  files: z.record(z.string(), z.string()),
});

interface Serving {
  place: string;
  programs: string[];
  program: ReturnType<EngineParts["checkouts"]["named"]>;
  tree: string;
  toolchain: Awaited<ReturnType<EngineParts["languages"]["toolchain"]>>;
  done: AbortSignal;
}

const LOOK_MS = 10;
const MOST_OUTPUT = 16_000_000;

/** One call at a time, each in a workspace laid out anew: what one call leaves in it, another does not find. */
async function serve(parts: EngineParts, serving: Serving): Promise<void> {
  const { place, done } = serving;
  const seen = new Set<string>();
  while (!done.aborted && !parts.signal.aborted) {
    for (const name of calls(place).filter((one) => !seen.has(one))) {
      seen.add(name);
      const request = Request.safeParse(parsed(readReport(join(place, name))));
      if (!request.success || !serving.programs.includes(request.data.program)) continue;
      const response = await call(parts, serving, request.data);
      const file = join(place, name.slice(0, -REQUEST.length));
      writeFileSync(`${file}.answer`, JSON.stringify(response), { mode: 0o644 });
      renameSync(`${file}.answer`, `${file}${RESPONSE}`);
    }
    await sleep(LOOK_MS);
  }
}

async function call(
  parts: EngineParts,
  { program, tree, toolchain }: Serving,
  request: z.infer<typeof Request>,
): Promise<z.infer<typeof Response>> {
  await program.renew(tree);
  const { limits } = parts.journal.frozen.settings.sandbox;
  const { mounts, path, env } = toolchain;
  const result = await parts.sandbox.run(
    {
      argv: runnerFor(request.program),
      stdin: JSON.stringify(request),
      workspace: program.directory,
      mounts,
      path,
      env,
    },
    { ...limits, outputBytes: MOST_OUTPUT },
    parts.signal,
  );
  const response = Response.safeParse(parsed(result.stdout));
  if (response.success) return { ...response.data, files: handedBack(request, response.data.files) };
  const stderr = Buffer.from(`the program was stopped (${result.ending})\n`).toString("base64");
  return { exitCode: 124, stdout: "", stderr, files: {} };
}

/** A program may write where it was told to. Into the workspace of the tests it gets nothing that could be executed there. */
function handedBack(
  { cwd, args, files }: z.infer<typeof Request>,
  written: Record<string, string>,
): Record<string, string> {
  const named = new Set([
    ...Object.keys(files),
    ...args.map((word) => posix.resolve(cwd, word.slice(word.indexOf("=") + 1))),
  ]);
  const isAllowed = (path: string) => {
    if (posix.normalize(path) !== path || !path.startsWith("/")) return false;
    if (path.startsWith(`${WORKSPACE}/`))
      return named.has(path) && /\.(txt|csv|tsv|json|jsonl|md|html|xml|log|out|dat|bin)$/.test(path);
    return path.startsWith("/tmp/") && (named.has(path) || path.startsWith(`${cwd}/`));
  };
  return Object.fromEntries(Object.entries(written).filter(([path]) => isAllowed(path)));
}

function calls(place: string): string[] {
  if (!lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(place)
    .filter((name) => name.endsWith(REQUEST))
    .sort();
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
