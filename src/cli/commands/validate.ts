import type { Command } from "commander";
import { oneOf } from "../../config/parse-setting.ts";
import { fail } from "../../domain/failure.ts";
import { readRecordLine } from "../../memory/import-lines.ts";
import { type DocumentName, documentJsonSchema, documentKinds, templateFile } from "../input/document-kinds.ts";
import { guessDocument } from "../input/guess-document.ts";
import { checked } from "../input/options.ts";
import { invalidDocument, readDocument, readText } from "../input/read-document.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { count } from "../text/amounts.ts";
import { printable } from "../text/printable.ts";

/** Each kind of document, also under the names that other tools use for it. */
const TYPES = {
  plan: "plan",
  todo: "plan",
  contract: "contract",
  report: "report",
  test_report: "report",
  lessons: "lessons",
  template: "template",
} as const satisfies Record<string, DocumentName | "lessons" | "template">;
type Type = (typeof TYPES)[keyof typeof TYPES];

const HELP = `
plan (or todo): requirements and todos, as JSON or YAML, as \`run --plan\` takes it; its graph is checked too. contract:
what parts of a program promise each other. report (or test_report): a run of tests. lessons: JSON lines, as
\`miracle memory import\` reads them. template: a kind of project, as \`run --template\` takes it.
Every problem is one line with file, line, column and reason. Samples are in config/samples/ of the package.

Examples:
  miracle validate plan.yaml
  miracle validate --schema contract > contract.schema.json`;

interface Flags {
  type?: Type;
  schema?: Type;
  json?: boolean;
}

export function define(command: Command, { terminal }: CommandContext): void {
  const type = checked((text: string) => TYPES[oneOf(...names())(text)]);
  command
    .option("-t, --type <type>", "plan, contract, report, lessons or template; default: by what is in it", type)
    .option("--schema <type>", "print the JSON Schema of plan, contract or report instead", type)
    .option("--json", "as JSON")
    .addHelpText("after", HELP)
    .action((file: string | undefined, flags: Flags) => {
      const { output } = terminal;
      if (flags.schema !== undefined) {
        if (flags.schema === "lessons" || flags.schema === "template")
          throw usage(`${flags.schema} has no schema file`);
        output.write(`${JSON.stringify(documentJsonSchema(flags.schema), null, 2)}\n`);
        return;
      }
      if (file === undefined) throw usage("which file? miracle validate FILE");
      const { directory } = terminal;
      const text = readText(file, directory);
      const found = flags.type ?? guessDocument(file, text);
      if (found === null) throw usage(`what is ${file}? say --type plan, contract, report, lessons or template`);
      const what = found === "lessons" ? checkLessons(text, file) : check(found, file, directory);
      const said = flags.json
        ? JSON.stringify({ file, type: found, valid: true, summary: what })
        : printable(
            `${file} holds: ${flags.type === undefined ? `${found === "lessons" ? "" : "a "}${found}, ` : ""}${what}`,
          );
      output.write(`${said}\n`);
    });
}

const names = (): (keyof typeof TYPES)[] => [
  "plan",
  "todo",
  "contract",
  "report",
  "test_report",
  "lessons",
  "template",
];

const kindOf = (name: DocumentName | "template") => (name === "template" ? templateFile : documentKinds[name]);

function check(name: DocumentName | "template", file: string, directory: string): string {
  const kind = kindOf(name);
  return kind.describe(readDocument(kind, file, directory));
}

function checkLessons(text: string, file: string): string {
  const problems: string[] = [];
  let records = 0;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const result = readRecordLine(line);
    if ("reason" in result) problems.push(`${file}:${index + 1}: ${result.reason}`);
    else records += 1;
  }
  if (problems.length > 0) throw invalidDocument(problems);
  if (records === 0) throw invalidDocument([`${file}: there is nothing in it`]);
  return count(records, "record");
}

const usage = (message: string) => fail("invalid-input", "cli.usage", message);
