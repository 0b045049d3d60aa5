import type { Command } from "commander";
import { EXIT_MEANINGS } from "./exit-codes.ts";

/** miracle(1), made by the build from the commands themselves. */
export function manPage(program: Command, version: string): string {
  const commands = program.commands.flatMap((command) => [
    ".SS",
    `miracle ${escaped(`${command.name()} ${command.usage()}`)}`,
    escaped(sentence(command.description())),
    ...command.options.flatMap(({ flags, description }) => [
      ".TP",
      `.B ${escaped(flags)}`,
      escaped(sentence(description)),
    ]),
  ]);
  const codes = Object.entries(EXIT_MEANINGS).flatMap(([code, meaning]) => [".TP", `.B ${code}`, escaped(meaning)]);
  return `${[
    `.TH MIRACLE 1 "" "miracle ${version}" "User Commands"`,
    ".SH NAME",
    `miracle \\- ${escaped(program.description())}`,
    ".SH SYNOPSIS",
    ".B miracle",
    "COMMAND [options]",
    ".SH DESCRIPTION",
    "Plans, writes tests, writes code and runs it in a sandbox, until a separate verifier has proof or a limit is",
    "reached. Also judges changes that others made.",
    ".SH COMMANDS",
    ...commands,
    ".SH EXIT STATUS",
    ...codes,
    ".SH FILES",
    ".TP",
    ".I ~/.config/miracle/*.yaml, .miracle/*.yaml",
    "Settings of the user and of a project; miracle config shows them.",
    ".TP",
    ".I ~/.local/share/miracle",
    "Tasks and their results, or where MIRACLE_HOME says.",
  ].join("\n")}\n`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** A line must not begin with a command of the formatter's. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/, "\\&");
