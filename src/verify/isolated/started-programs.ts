import type { SourceFile } from "../../languages/language.ts";
import type { BaseTree } from "../../languages/stub.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { readUses } from "../held-out/read-uses.ts";

/** Tests that share more with a running program than its streams, signals, files and TCP connections. */
const NEEDS_ONE_SANDBOX =
  /\bpexpect\b|\bpty\b|\bAF_UNIX\b|\bSOCK_DGRAM\b|\bdgram\b|\bsocketPath\b|\bpass_fds\b|\bpreexec_fn\b|\bmultiprocessing\b|\bworker_threads\b|\bfork\(/;

/** What a shim can stand in the place of. */
const PROGRAM = /\.(py|[cm]?[jt]s)$/;

/**
 * The programs that these tests do nothing with but start and talk to, where a second sandbox can keep the two apart; null
 * where the tests also import code of the project, or need the program beside them.
 */
export async function startedPrograms(
  parsers: SyntaxParsers,
  base: Pick<BaseTree, "has" | "hasDirectory">,
  files: SourceFile[],
): Promise<string[] | null> {
  const programs = new Set<string>();
  for (const file of files) {
    const uses = await readUses(parsers, file, new Set());
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
      if (found === undefined || !PROGRAM.test(found)) return null;
      programs.add(found);
    }
  }
  return programs.size > 0 ? [...programs] : null;
}
