import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { oneOf } from "../../config/parse-setting.ts";
import { parseYamlAs } from "../../config/parse-yaml.ts";
import { fail } from "../../domain/failure.ts";
import { readRecordLine } from "../../memory/import-lines.ts";
import {
  type DocumentName,
  documentJsonSchema,
  documentKinds,
  planFile,
  templateFile,
} from "../input/document-kinds.ts";
import { checked } from "../input/options.ts";
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
plan (or todo): a todo list, as JSON or YAML; its graph is checked too. contract: what parts of a program promise each
other. report (or test_report): a run of tests. lessons: JSON lines, as \`miracle memory import\` reads them. template: a kind of
project, as \`run --template\` takes it.
Every problem is one line with file, line, column and reason. Samples are in config/samples/ of the package.

Examples:
  miracle validate plan.yaml --type plan
  miracle validate --schema contract > contract.schema.json`;

interface Flags {
  type?: Type;
  schema?: Type;
  json?: boolean;
}

export function define(command: Command, { terminal }: CommandContext): void {
  const type = checked((text: string) => TYPES[oneOf(...names())(text)]);
  command
    .option("-t, --type <type>", "plan, contract, report, lessons or template", type)
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
      if (file === undefined) throw usage("which file? miracle validate FILE --type plan");
      if (flags.type === undefined)
        throw usage(`what is ${file}? say --type plan, contract, report, lessons or template`);
      const text = read(resolve(terminal.directory, file), file);
      const what = flags.type === "lessons" ? checkLessons(text, file) : checkDocument(text, file, flags.type);
      const said = flags.json
        ? JSON.stringify({ file, type: flags.type, valid: true, summary: what })
        : printable(`${file} holds: ${what}`);
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

/** JSON is YAML, so one reader knows the places in both. */
function checkDocument(text: string, file: string, name: DocumentName | "template"): string {
  const { value: written } = parseYamlAs(z.looseObject({}), text, file);
  const kind = name === "plan" && "plan" in written ? planFile : kindOf(name);
  const { value, lineOf } = parseYamlAs(kind.schema, text, file);
  const problems = kind.check(value).map(({ path, message }) => {
    const line = lineOf(path);
    return `${file}${line === undefined ? "" : `:${line}`}: ${message}`;
  });
  if (problems.length > 0) throw invalid(problems);
  return kind.describe(value);
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
  if (problems.length > 0) throw invalid(problems);
  if (records === 0) throw invalid([`${file}: there is nothing in it`]);
  return count(records, "record");
}

function read(place: string, file: string): string {
  try {
    return readFileSync(place, "utf8");
  } catch (cause) {
    throw fail("invalid-input", "validate.unreadable", `${file} cannot be read`, { cause });
  }
}

const invalid = ([first = "", ...others]: string[]) =>
  fail("invalid-input", "validate.invalid", first, others.length > 0 ? { detail: others.join("\n") } : {});

const usage = (message: string) => fail("invalid-input", "cli.usage", message);
