import { after, type Field, holds, leading, literal, shown } from "../field.ts";
import type { Call, Judging } from "../judging.ts";
import { optionOf, readArguments } from "../options.ts";
import { judgeWrite } from "../redirects.ts";
import type { Handler } from "./handlers.ts";
import { judgeKnown } from "./writing.ts";

const COMPRESSORS = /^(gzip|bzip2|xz|zstd|pigz|pbzip2|lzma|lz4|lzip|pxz)( -[\w-]+)*$/;

/** Programs of daily use with one or two options that run others. */
export const toolHandlers: Record<string, Handler> = {
  tar: runTar,
  bsdtar: runTar,
  make: runMake,
  gdb(call, judging) {
    const args = readArguments(call.words.map(oneDash), { long: ["ex", "eval-command", "iex", "x", "command"] });
    for (const { name, value } of args.options) {
      if (!/^--(ex|eval-command|iex)$/.test(name) || !value) continue;
      if (/^\s*(!|(sh|she|shel|shell|make|pipe|python|py|source|guile)(?![a-z]))/.test(shown(value)))
        judging.refuse("run.program", value);
    }
  },
  sqlite3(call, judging) {
    for (const field of readArguments(call.words).operands.slice(1)) sqliteText(field, judging);
    if (call.input.kind === "text") sqliteText(call.input.field, judging);
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
  zip(call, judging) {
    const field = call.words.find((word) => leading(word).startsWith("-TT") || literal(word) === "-TT");
    if (field) judging.refuse("run.program", field);
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
  mapfile: callback,
  readarray: callback,
};

function runTar(call: Call, judging: Judging): void {
  const [first, ...others] = call.words;
  // The old way writes its letters without a dash.
  const isOld = first !== undefined && /^[A-Za-z]+$/.test(literal(first) ?? "-");
  const words =
    isOld && first
      ? [{ ...first, pieces: [{ kind: "text" as const, text: `-${literal(first)}` }] }, ...others]
      : call.words;
  const isClustered = isOld || /^-\w{2,}$/.test(literal(first) ?? "");
  const args = readArguments(words, {
    short: isClustered ? "CIT" : "fCIT",
    long: ["file", "directory", "use-compress-program", "files-from"],
  });
  if (isOld && /P/.test(literal(first) ?? "")) judging.refuse("write.outside", first ?? call.name);
  const program = optionOf(args, "-I", "--use-compress-program");
  if (program && !COMPRESSORS.test(literal(program.value) ?? "?")) judging.refuse("run.program", program.field);
  const letters = args.options.map(({ name }) => name);
  const extracts = letters.some((name) => name === "-x" || name === "--extract" || name === "--get");
  const directory = optionOf(args, "-C", "--directory")?.value;
  if (extracts && isOld) for (const field of oldValues(literal(first) ?? "", others)) judgeWrite(field, call, judging);
  if (extracts && directory) judgeWrite(directory, call, judging);
  const creates = letters.some((name) => name === "-c" || name === "--create" || name === "-r" || name === "-u");
  const file = optionOf(args, "-f", "--file")?.value ?? (isClustered ? args.operands[0] : undefined);
  if (creates && file && literal(file) !== "-") judgeKnown(file, call, judging);
}

/** The old way: letters that take a value take the next words, in their order. Only those of `C` are directories. */
function oldValues(letters: string, words: Field[]): Field[] {
  const taking = [...letters].filter((letter) => "fCTIXbHLNKVgF".includes(letter));
  return taking.flatMap((letter, index) => (letter === "C" ? words.slice(index, index + 1) : []));
}

function runMake(call: Call, judging: Judging): void {
  const args = readArguments(call.words, {
    short: "fCIojlW",
    long: ["file", "makefile", "directory", "include-dir", "jobs"],
  });
  const file = optionOf(args, "-f", "--file", "--makefile")?.value;
  if (file && (literal(file) === "-" || holds(file, "pipe", "computed") || /^\/(dev|proc)\//.test(shown(file))))
    judging.refuse("run.from-input", file);
  for (const field of args.operands) {
    const text = shown(field);
    if (/^\.?SHELL(FLAGS)?\s*[:+?]?=|\$[({](shell|eval|file)\b/.test(text)) judging.refuse("run.program", field);
  }
}

function sqliteText(field: Field, judging: Judging): void {
  if (
    /^\s*\.(sh|she|shel|shell|sys\w*|once\s+-?[|]|output\s+[|]|load|log|excel|edit|import\s+["']?[|])/m.test(
      shown(field),
    ) ||
    /\bload_extension\s*\(|\bedit\s*\(|\bwritefile\s*\(/i.test(shown(field))
  )
    judging.refuse("run.program", field);
}

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

function callback(call: Call, judging: Judging): void {
  const text = optionOf(readArguments(call.words, { short: "dnOsuCc" }), "-C")?.value;
  if (text) judging.script(text, call, true);
}

/** gdb's long options have one dash or two. */
const oneDash = (field: Field): Field => {
  const text = leading(field);
  return /^-[a-z]{2,}/.test(text)
    ? { ...field, pieces: [{ kind: "text", text: `-${text}` }, ...after(field, text.length).pieces] }
    : field;
};
