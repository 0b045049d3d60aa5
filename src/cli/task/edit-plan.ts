import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TerminalFailure } from "../../domain/failure.ts";
import type { PlanFile } from "../../domain/plan/plan-file.ts";
import { writePlan } from "../../domain/plan/write-plan.ts";
import { readPlan } from "../input/read-plan.ts";
import { confirm } from "../terminal/ask.ts";
import { editFile } from "../terminal/edit-file.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { printable } from "../text/printable.ts";

/** A plan as the person wants it, written in their editor; null where they left it as it was. */
export async function editPlan(terminal: Terminal, plan: PlanFile): Promise<PlanFile | null> {
  const { stringify } = await import("yaml");
  const directory = mkdtempSync(join(tmpdir(), "miracle-plan-"));
  const path = join(directory, "plan.yaml");
  const before = stringify(writePlan(plan));
  try {
    writeFileSync(path, before, { mode: 0o600 });
    for (;;) {
      await editFile(terminal, path);
      if (readFileSync(path, "utf8") === before) return null;
      try {
        return await readPlan(path, directory);
      } catch (error) {
        if (!(error instanceof TerminalFailure)) throw error;
        terminal.error.write(`${printable(error.message)}\n`);
        if (!(await confirm(terminal, "Edit it again?"))) return null;
      }
    }
  } catch (error) {
    // An editor that does not start is no reason to end the work.
    if (!(error instanceof TerminalFailure)) throw error;
    terminal.error.write(`${printable(error.message)}\n`);
    return null;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
