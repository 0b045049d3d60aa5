import { type AccountLine, openLines, placeOf } from "../../domain/evidence/account.ts";
import type { Toolchain } from "../../languages/language.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { makeMutants, mutate } from "../mutants/make-mutants.ts";
import { type AcceptParts, runCommand } from "./accept.ts";

interface AcceptRequest {
  parts: AcceptParts & { parsers: SyntaxParsers };
  toolchain: Toolchain;
  result: string;
  /** Commands of the person's that turned from red to green. */
  commands: readonly string[];
  account: readonly AccountLine[];
  budgetMs: number;
}

/** Small changes that are tried of each place. */
const MOST_MUTANTS = 3;

/**
 * A person says that a command shows the change. So it must notice small changes of it, as a test must: places that no
 * test shows are shown by the command where it does.
 */
export async function acceptNotices(request: AcceptRequest): Promise<Map<string, string>> {
  const { parts, toolchain, result, commands, account, budgetMs } = request;
  const { artifacts, task, parsers } = parts;
  const start = performance.now();
  const shown = new Map<string, string>();
  for (const line of openLines(account)) {
    const content = artifacts.readFile(result, line.path)?.toString("utf8");
    if (content === undefined || !line.lines || performance.now() - start > budgetMs) continue;
    const mutants = await makeMutants({ path: line.path, content }, line.lines, parsers, { values: true });
    for (const command of mutants.length > 0 ? commands : []) {
      parts.onProgress(`running $ ${command} with small changes of ${placeOf(line)}`);
      let all = true;
      for (const mutant of mutants.slice(0, MOST_MUTANTS)) {
        const tree = artifacts.overlay(task, result, [{ path: line.path, content: mutate(content, mutant) }]);
        all &&= !(await runCommand(parts, toolchain, command, tree)).passed;
        if (!all) break;
      }
      if (all) shown.set(placeOf(line), `$ ${command} turned green, and notices small changes of it`);
    }
  }
  return shown;
}

/** The account with what commands show. */
export const withShown = (account: readonly AccountLine[], shown: ReadonlyMap<string, string>): AccountLine[] =>
  account.map((line) => {
    const why = line.standing === "not-judged" ? shown.get(placeOf(line)) : undefined;
    return why === undefined ? line : { ...line, standing: "shown", why };
  });
