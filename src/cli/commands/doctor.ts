import type { Command } from "commander";
import { examine } from "../doctor/examine-machine.ts";
import type { MachineCheck } from "../doctor/machine-check.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { linesFor } from "../terminal/paint.ts";
import { EXIT } from "../text/exit-codes.ts";
import { type Line, line } from "../text/line.ts";

export function define(command: Command, { terminal, finish }: CommandContext): void {
  const flags = command.option("--json", "one check per line").option("--worker", "also what `miracle worker` needs");
  flags.action(async ({ json, worker }: { json?: boolean; worker?: boolean }) => {
    const checks = await examine(terminal);
    if (worker) {
      const { examineWorker } = await import("../doctor/examine-worker.ts");
      checks.push(...(await examineWorker(terminal)));
    }
    const { output } = terminal;
    if (json) for (const check of checks) output.write(`${JSON.stringify(check)}\n`);
    else output.write(linesFor(terminal, output, checks.flatMap(describe)));
    if (checks.some(({ ok, required }) => required && !ok)) finish(EXIT.environment);
  });
}

function describe({ ok, required, name, text, remedy }: MachineCheck): Line[] {
  const said = line(`${ok ? "✓" : required ? "✗" : "–"} ${name}: ${text}`);
  return ok || remedy === "" ? [said] : [said, line(`    ${remedy}`)];
}
