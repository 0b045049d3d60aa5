import type { Call, Handler, Judging } from "../judging/judging.ts";
import { readArguments } from "../judging/options.ts";
import { placeOf } from "../judging/place.ts";
import { type Field, holds, literal, shown, textField } from "../shell/field.ts";
import { judgeWrittenFile } from "./written-file.ts";

const SHELLS = ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash", "su"];

export const shellHandlers: Record<string, Handler> = {
  ...Object.fromEntries(SHELLS.map((name): [string, Handler] => [name, runShell])),
  source: runSource,
  ".": runSource,
};

function runShell(call: Call, judging: Judging): void {
  const { input } = call;
  const words = call.words.map(asMinus);
  const { options, operands } = readArguments(words, { short: "oO", long: ["rcfile", "init-file"], stops: true });
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  if (has("--version", "--help")) return;
  const startup = options.find(({ name }) => name === "--rcfile" || name === "--init-file");
  if (startup) judging.refuse("run.program", startup.field);
  if (has("-c", "--command")) {
    const [text] = operands;
    if (text)
      judging.script(text, {
        ...call,
        around: { ...call.around, scope: { ...call.around.scope, positional: undefined } },
      });
    return;
  }
  const [file] = operands;
  // `bash -n` only reads.
  if (has("-n") && file) return;
  if (file && !has("-s") && literal(file) !== "-") {
    runFile(file, call, judging);
    return;
  }
  if (input.kind === "text" && !input.piped) judging.script(input.field, call);
  else if (input.kind === "file") runFile(input.field, call, judging);
  else
    judging.refuse(
      "run.from-input",
      call.name,
      input.kind === "none" ? `${shown(call.name)} without a script` : `… | ${shown(call.name)}`,
    );
}

function runFile(file: Field, call: Call, judging: Judging): void {
  const path = literal(file) ?? "";
  if (holds(file, "pipe")) judging.refuse("run.from-input", file);
  else if (/^\/(dev|proc)\//.test(path)) {
    if (call.input.kind === "text" && !call.input.piped) judging.script(call.input.field, call);
    else judging.refuse("run.from-input", file);
  } else if (holds(file, "computed")) judging.refuse("run.unresolved", file);
  else judgeWrittenFile(file, call, judging);
}

function runSource(call: Call, judging: Judging): void {
  const [file] = call.words;
  if (file === undefined) return;
  const { place } = placeOf(file, call.around.directories, judging.rules);
  if (place === "unknown" && holds(file, "outer")) judging.refuse("run.unresolved", file);
  else runFile(file, call, judging);
}

/** `+x` switches an option off, and is an option all the same. */
function asMinus(field: Field): Field {
  const text = literal(field) ?? "";
  return /^\+[a-zA-Z]+$/.test(text) ? textField(`-${text.slice(1).replaceAll("c", "")}`, field.from, field.to) : field;
}
