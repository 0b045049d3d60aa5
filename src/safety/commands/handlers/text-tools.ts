import type { Call, Handler, Judging } from "../judging/judging.ts";
import { optionOf, readArguments } from "../judging/options.ts";
import { judgeKnown, judgeWrite } from "../judging/writes.ts";
import { type Field, holds, literal, shown, textField } from "../shell/field.ts";
import { readSed } from "./sed-script.ts";

export const textToolHandlers: Record<string, Handler> = {
  sed(call, judging) {
    const args = readArguments(call.words, { short: "efl", long: ["expression", "file", "line-length"] });
    const scripts = args.options.flatMap(({ name, value }) =>
      /^(-e|--expression)$/.test(name) && value ? [value] : [],
    );
    const hasScript = scripts.length > 0 || optionOf(args, "-f", "--file") !== undefined;
    const operands = hasScript ? args.operands : args.operands.slice(1);
    if (!hasScript && args.operands[0]) scripts.push(args.operands[0]);
    judgeScriptFile(optionOf(args, "-f", "--file")?.value, judging);
    for (const script of scripts) judgeSed(script, call, judging);
    if (args.options.some(({ name }) => name === "-i" || name === "--in-place"))
      for (const field of operands) judgeKnown(field, call, judging);
  },
  awk(call, judging) {
    const args = readArguments(call.words, {
      short: "Fvfeil",
      long: ["file", "source", "assign", "field-separator", "include", "load"],
      stops: true,
    });
    const inline = args.options.flatMap(({ name, value }) => (/^(-e|--source)$/.test(name) && value ? [value] : []));
    const hasFile = optionOf(args, "-f", "--file") !== undefined;
    judgeScriptFile(optionOf(args, "-f", "--file")?.value, judging);
    const load = optionOf(args, "-l", "--load");
    if (load) judging.refuse("run.program", load.field);
    const [program] = args.operands;
    for (const text of inline.length > 0 || hasFile || !program ? inline : [program]) judgeAwk(text, call, judging);
  },
  sort(call, judging) {
    const file = optionOf(
      readArguments(call.words, { short: "okStT", long: ["output", "key", "field-separator"] }),
      "-o",
      "--output",
    )?.value;
    if (file) judgeKnown(file, call, judging);
  },
};

function judgeScriptFile(file: Field | undefined, judging: Judging): void {
  if (file && (holds(file, "pipe", "computed") || /^(-$|\/dev\/|\/proc\/)/.test(shown(file))))
    judging.refuse("run.from-input", file);
}

function judgeSed(script: Field, call: Call, judging: Judging): void {
  const { runs, files } = readSed(known(script));
  if (runs || holds(script, "pipe")) judging.refuse("run.program", script);
  for (const file of files) judgeWrite(textField(file, script.from, script.to), call, judging);
}

/** awk starts programs by system(), and by pipes to and from strings. */
function judgeAwk(program: Field, call: Call, judging: Judging): void {
  const text = known(program);
  if (holds(program, "computed")) {
    judging.refuse("run.unresolved", program);
    return;
  }
  // `@name(…)` calls a function by its name, `@load` brings foreign code.
  if (/@\s*\w+\s*\(|@(load|include)\b/.test(text.replace(/"[^"]*"/g, '""').replace(/\/[^/\n]*\//g, "")))
    judging.refuse("run.program", program);
  const field = (value: string) => textField(value, program.from, program.to);
  for (const [, argument = ""] of text.matchAll(/\bsystem\s*\(([^)]*)\)?/g)) {
    const line = /^\s*"([^"]*)"\s*$/.exec(argument)?.[1];
    if (line === undefined) judging.refuse("run.program", program);
    else judging.script(field(line), call);
  }
  for (const [, line = ""] of text.matchAll(/"([^"]*)"\s*\|&?\s*getline/g)) judging.script(field(line), call);
  for (const [, line = ""] of text.matchAll(/[^|]\|&?\s*"([^"]*)"/g)) {
    if (/^\s*(ba|da|z|k)?sh\b/.test(line)) judging.refuse("run.from-input", program);
    else judging.script(field(line), call);
  }
  if (
    /\|&?\s*getline|[^|]\|\s*[A-Za-z_]/.test(
      text
        .replace(/"[^"]*"\s*\|&?\s*getline/g, "")
        .replace(/\/[^/\n]*\//g, "")
        .replace(/"[^"]*"/g, '""'),
    )
  )
    judging.refuse("run.program", program);
  for (const [, file = ""] of text.matchAll(/>\s*"([^"]*)"/g)) judgeWrite(field(file), call, judging);
}

/** Holes that are no danger in a script stand as a letter. */
const known = (field: Field): string =>
  literal(field) ?? field.pieces.map(({ kind, text }) => (kind === "text" ? text : "x")).join("");
