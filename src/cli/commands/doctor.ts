import type { Command } from "commander";
import { examine } from "../doctor/examine-machine.ts";
import type { MachineCheck } from "../doctor/machine-check.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { hasColor } from "../terminal/terminal.ts";
import { EXIT } from "../text/exit-codes.ts";

export function define(command: Command, { terminal, finish }: CommandContext): void {
  const flags = command.option("--json", "one check per line").option("--worker", "also what `miracle worker` needs");
  flags.action(async ({ json, worker }: { json?: boolean; worker?: boolean }) => {
    const checks = await examine(terminal);
    if (worker) {
      const { examineWorker } = await import("../doctor/examine-worker.ts");
      checks.push(...(await examineWorker(terminal)));
    }
    const color = hasColor(terminal, terminal.output);
    for (const check of checks) {
      terminal.output.write(json ? `${JSON.stringify(check)}\n` : describe(check, color));
    }
    if (checks.some(({ ok, required }) => required && !ok)) finish(EXIT.environment);
  });
}

function describe({ ok, required, name, text, remedy }: MachineCheck, color: boolean): string {
  const mark = ok ? "✓" : required ? "✗" : "–";
  const tone = ok ? "\u001b[32m" : required ? "\u001b[31m" : "\u001b[33m";
  const shown = color ? `${tone}${mark}\u001b[0m` : mark;
  return `${shown} ${name}: ${text}\n${ok || remedy === "" ? "" : `    ${remedy}\n`}`;
}
