import type { TestReport } from "../domain/test-report.ts";
import type { Language } from "../languages/language.ts";
import { runTests } from "../languages/run-tests.ts";
import { shimFor } from "../verify/apart/program-shim.ts";
import { servePrograms } from "../verify/apart/serve-programs.ts";
import { readUses } from "../verify/held-out/read-uses.ts";
import { baseTree } from "./base-tree.ts";
import type { EngineParts } from "./parts.ts";

interface PlainFile {
  path: string;
  content: string;
}

/** Tests that share more with a running program than its streams, signals, files and TCP connections. */
const NEEDS_ONE_SANDBOX =
  /\bpexpect\b|\bpty\b|\bAF_UNIX\b|\bSOCK_DGRAM\b|\bdgram\b|\bsocketPath\b|\bpass_fds\b|\bpreexec_fn\b|\bmultiprocessing\b|\bworker_threads\b|\bfork\(/;

/**
 * The programs that these tests do nothing with but start and talk to, where a second sandbox can keep the two apart; null
 * where the tests also import code of the project, or need the program beside them.
 */
export async function programsApart(parts: EngineParts, tree: string, files: PlainFile[]): Promise<string[] | null> {
  if (parts.sandbox.backend === "process") return null; // one machine, whatever is done
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
  const toolchain = await parts.languages.toolchain(language, journal.frozen.request.directory);
  const { limits } = journal.frozen.settings.sandbox;
  const paths = artifacts.list(tree).map((entry) => entry.path);
  const bare = artifacts.withoutPaths(
    journal.task,
    tree,
    paths.filter((path) => language.isTestFile(path)),
  );
  const lay = async (name: string) => {
    const checkout = parts.checkouts.named(name);
    await checkout.renew(bare);
    return checkout;
  };
  try {
    await using served = await servePrograms({ sandbox, limits, signal, programs, toolchain, lay });
    const workspace = tests.directory;
    return await runTests({
      language,
      sandbox,
      limits,
      workspace,
      toolchain: { ...toolchain, mounts: [...toolchain.mounts, ...served.mounts] },
      files: files.map(({ path }) => path),
      signal,
    });
  } finally {
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
