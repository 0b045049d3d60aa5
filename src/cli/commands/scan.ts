import type { Command } from "commander";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import type { Finding } from "../../domain/finding.ts";
import { filesAt, filesToScan } from "../input/scanned-files.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { count } from "../text/amounts.ts";
import { EXIT } from "../text/exit-codes.ts";
import { findingsText } from "../text/findings-text.ts";

interface Flags {
  json?: boolean;
  base?: string;
}

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--base <revision>", "report only what is new against this git revision")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      `
Reads files (Python, JavaScript, TypeScript, Go, scripts in pages, notebooks, and the names of others) and says what Miracle would refuse to run,
and why: dangerous calls, also disguised ones, known weaknesses, secrets. Directories are read without dependencies and
caches. Nothing is executed. Your own policy (safety.code) counts.

Examples:
  miracle scan src
  miracle scan . --base HEAD
  miracle scan app.py --json | jq '.findings[] | select(.blocking)'

Exit codes: 0 nothing blocks, 1 something blocks.`,
    )
    .action(async (paths: string[], flags: Flags) => {
      const { newFindings, scanFiles } = await import("../../safety/scan/scan-files.ts");
      const { loadScanRules, withPolicy } = await import("../../safety/scan/scan-rules.ts");
      const { SyntaxParsers } = await import("../../syntax/parse.ts");
      const root = packageRoot();
      const { directory, env, home } = terminal;
      const { settings } = await loadConfig({ directory, env, home, root, flags: {} });
      const shipped = await loadScanRules(root);
      const rules = settings.safety.code ? withPolicy(shipped, settings.safety.code) : shipped;
      const parsers = new SyntaxParsers();
      const files = filesToScan(paths, terminal.directory);
      let findings: Finding[] = await scanFiles(files, rules, parsers);
      if (flags.base !== undefined) {
        const before = await filesAt(flags.base, files, terminal);
        findings = newFindings(await scanFiles(before, rules, parsers), findings);
      }
      const blocking = findings.filter((finding) => finding.blocking).length;
      if (flags.json) {
        terminal.output.write(`${JSON.stringify({ files: files.length, blocking, findings })}\n`);
      } else {
        terminal.output.write(findingsText(findings));
        const of = `${count(files.length, "file")} scanned: ${count(findings.length, "finding")}, ${blocking} blocking`;
        terminal.output.write(`${of}\n`);
      }
      if (blocking > 0) finish(EXIT.notProven);
    });
}
