import { packageRoot } from "../../config/package-root.ts";
import { fail } from "../../domain/failure.ts";
import type { SafetySettings } from "../../domain/settings/safety-settings.ts";
import type { CommandRuling } from "../../safety/safety.ts";
import { confirm } from "../terminal/ask.ts";
import { isInteractive, type Terminal } from "../terminal/terminal.ts";
import { printable } from "../text/printable.ts";

type InstallReach = Pick<CommandRuling, "hosts" | "registries" | "env">;

const NOTHING: InstallReach = { hosts: [], registries: {}, env: {} };

/**
 * What a command that installs packages may reach: the registries of its languages, through the mirror, as a command of
 * the agent would. What is on no list is asked about; the person who typed it can also say so beforehand.
 */
export async function installReach(
  terminal: Terminal,
  argv: string[],
  policy: SafetySettings | undefined,
  options: { yes: boolean; isOptional: boolean },
): Promise<InstallReach> {
  const { openSafety } = await import("../../safety/open-safety.ts");
  const line = argv.map(quoted).join(" ");
  const ruling = await openSafety({ root: packageRoot(), policy }).judgeCommand(line);
  if (Object.keys(ruling.registries).length === 0) return NOTHING;
  if (isGranted(ruling, policy, options.yes)) return ruling;
  const why = ruling.reasons.map(({ text, message, instead }) => `${text}: ${message}. Instead: ${instead}`);
  const mayAsk = ruling.decision === "ask" && ruling.subject === "deps" && isInteractive(terminal);
  if (mayAsk && (await confirm(terminal, `${printable(why.join("\n"))}\nInstall all the same?`))) return ruling;
  // Hosts that were named are reached without the mirror, as the person said.
  if (options.isOptional) return NOTHING;
  const advice = ruling.decision === "ask" ? "; --yes installs all the same" : "";
  throw fail("policy", "sandbox.install", `not run: ${why.join("; ")}${advice}`);
}

const isGranted = ({ decision, subject }: CommandRuling, policy: SafetySettings | undefined, yes: boolean): boolean =>
  decision === "allow" ||
  (decision === "ask" && subject === "deps" && (yes || policy?.approve.includes("deps") === true));

/** As a shell reads it back. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
