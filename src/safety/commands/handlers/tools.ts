import type { Call, Handler, Judging } from "../judging/judging.ts";
import { optionOf, readArguments } from "../judging/options.ts";
import { judgeKnown, judgeWrite } from "../judging/writes.ts";
import { after, type Field, leading, literal, shown } from "../shell/field.ts";
import { judgeCode, judgeSource } from "./inline-code.ts";
import { judgeWrittenSources } from "./written-file.ts";

/** Programs of daily use with one or two options that run others. */
export const toolHandlers: Record<string, Handler> = {
  gdb(call, judging) {
    const args = readArguments(call.words.map(oneDash), { long: ["ex", "eval-command", "iex", "x", "command"] });
    for (const { name, value } of args.options) {
      if (!/^--(ex|eval-command|iex)$/.test(name) || !value) continue;
      if (/^\s*(!|(sh|she|shel|shell|make|pipe|python|py|source|guile)(?![a-z]))/.test(shown(value)))
        judging.refuse("run.program", value);
    }
  },
  java(call, judging) {
    const option = call.words.find((field) => /^-(XX:On\w+=|javaagent|agentpath|agentlib)/.test(leading(field)));
    if (option) judging.refuse("run.program", option);
  },
  erl(call, judging) {
    call.words.forEach((field, index) => {
      const code = call.words[index + 1];
      if (literal(field) === "-eval" && code) judgeCode("other", code, call, judging);
    });
  },
  man: pager,
  less: editorCommand,
  more: editorCommand,
  vim: editorCommand,
  emacs: editorCommand,
  ssh(call, judging) {
    const { options } = readArguments(call.words, { short: "oiplFLRDWEJbcemQSw" });
    for (const { name, value } of options)
      if (name === "-o" && value && /command/i.test(shown(value))) judging.refuse("run.program", value);
  },
  openssl(call, judging) {
    const index = call.words.findIndex((field) => literal(field) === "-out");
    const file = index === -1 ? undefined : call.words[index + 1];
    if (file) judgeWrite(file, call, judging);
  },
  gcc: compiles,
  cc: compiles,
  "g++": compiles,
  clang: compiles,
};

function pager(call: Call, judging: Judging): void {
  const option = optionOf(
    readArguments(call.words, { short: "PHSsLMCmr", long: ["pager", "html"] }),
    "-P",
    "--pager",
    "-H",
    "--html",
  );
  if (option && !judging.rules.harmlessPrograms.includes(literal(option.value) ?? "?"))
    judging.refuse("run.program", option.field);
}

/** `+cmd` on the command line of an editor or a pager is run at its start. */
function editorCommand(call: Call, judging: Judging): void {
  for (const field of call.words) if (/^\+(?![\dGF/]*\d*$)/.test(leading(field))) judging.refuse("run.program", field);
  if (call.base === "vim" && (call.input.kind === "text" || call.input.kind === "pipe"))
    judging.refuse("run.program", call.name);
}

function compiles(call: Call, judging: Judging): void {
  if (call.input.kind === "text") judgeSource("c", call.input.field, call, judging);
  judgeWrittenSources(["c"], call, judging);
  const option = call.words.find((field) => /^-(wrapper|fplugin|specs|B)/.test(leading(field)));
  if (option) judging.refuse("run.program", option);
  const output = optionOf(
    readArguments(
      call.words.filter((field) => !/^-[^o]/.test(leading(field))),
      { short: "o" },
    ),
    "-o",
  )?.value;
  if (output) judgeKnown(output, call, judging);
}

/** gdb's long options have one dash or two. */
const oneDash = (field: Field): Field => {
  const text = leading(field);
  return /^-[a-z]{2,}/.test(text)
    ? { ...field, pieces: [{ kind: "text", text: `-${text}` }, ...after(field, text.length).pieces] }
    : field;
};
