import { z } from "zod";
import { type AccountLine, openLines, placeOf } from "../../domain/evidence/account.ts";
import { approve } from "../hands/approve.ts";
import type { Run } from "../hands/run.ts";

/**
 * Places of the change that nothing shows and nobody asked for are not delivered without a question. Where nobody can be
 * asked they stay open, and the change is not proven: a yes to everything is no answer to this.
 */
export async function askToLeave(run: Run, tree: string, account: AccountLine[]): Promise<AccountLine[]> {
  const open = openLines(account);
  if (open.length === 0) return account;
  const { ask, policy } = run.parts.approvals;
  // Whether a person was there is recorded, so that a resume elsewhere continues in the same way.
  const there = await run.step(
    { kind: "decision", name: "person-there", input: { tree }, output: z.boolean() },
    async () => (ask !== undefined || policy.unanswered === "wait") && policy.allowed.diff === undefined,
  );
  if (!there) return account;
  const places = open.map((line) => `${placeOf(line)}: ${line.why}`);
  const question = `deliver ${open.length === 1 ? "a place" : `${open.length} places`} of the change that nothing shows`;
  const detail = ["Nothing shows these places of the change, and no requirement asks for them:", ...places].join(
    "\n  ",
  );
  const answer = await approve(run, {
    name: "leave/approval",
    input: { tree, places },
    ask: async () => ({ subject: "diff", question, detail }),
  });
  return answer.granted ? account.map((line) => (open.includes(line) ? { ...line, left: true } : line)) : account;
}
