import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Ended, Miracle } from "../miracle.ts";
import type { Measured } from "../result.ts";

const Document = z.object({
  verdict: z.object({ status: z.string(), summary: z.string(), reasons: z.array(z.string()).default([]) }),
});

type Judged = Pick<Measured, "verdict" | "exit" | "reason" | "seconds" | "open">;

/** The change since `base`, in this copy, through `miracle prove`. */
export async function proveChange(
  miracle: Miracle,
  {
    copy,
    base,
    scratch,
    minutes,
    keep,
  }: { copy: string; base: string; scratch: string; minutes: number; keep: string | null },
): Promise<Judged> {
  const home = join(scratch, "home");
  mkdirSync(home, { recursive: true });
  const bundle = keep ? ["--output", join(keep, "evidence"), "--force"] : [];
  const args = ["prove", "--base", base, "--json", "--quiet", "--dir", copy, ...bundle];
  const ended = await miracle.run(args, { home, minutes });
  if (keep) writeFileSync(join(keep, "evidence.json"), ended.stdout || ended.stderr);
  return readVerdict(ended);
}

function readVerdict({ exit, stdout, stderr, seconds }: Ended): Judged {
  if (exit === null) return { verdict: "no-end", exit, reason: "it did not end in its time", seconds };
  const read = Document.safeParse(parsed(stdout));
  const firstLine = (text: string) => text.trim().split("\n")[0]?.slice(0, 400) ?? "";
  if (!read.success) return { verdict: "error", exit, reason: firstLine(stderr) || firstLine(stdout), seconds };
  const { status, summary, reasons } = read.data.verdict;
  const verdict = verdictOf(status);
  const reason = status === "proven" ? "" : firstLine(summary);
  return { verdict, exit, reason, seconds, ...(verdict === "proven-in-part" && { open: reasons.length }) };
}

function verdictOf(status: string): Measured["verdict"] {
  if (/part/.test(status)) return "proven-in-part";
  if (status === "proven" || status === "checked" || status === "refused") return status;
  return "not-proven";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
