import type { Call, Handler, Judging } from "../judging/judging.ts";
import { hasOption, optionOf, readArguments } from "../judging/options.ts";
import { placeOf } from "../judging/place.ts";
import { judgeKnown, judgeWrite, noteWritten } from "../judging/writes.ts";
import { after, type Field, leading, literal } from "../shell/field.ts";
import { noteMoved } from "./written-file.ts";

const MOST_BYTES = 2 ** 30;
const ENDLESS = /^\/dev\/(zero|urandom|random|full)$/;
/** Trees of the system that a link may lead to: they are read only. */
const READ_ONLY = /^\/(usr|bin|lib|lib64|opt|nix)(\/|$)/;

export const writingHandlers: Record<string, Handler> = {
  tee(call, judging) {
    for (const field of readArguments(call.words).operands) {
      judgeWrite(field, call, judging);
      noteWritten(field, call, judging, call.input.kind === "text" ? literal(call.input.field) : undefined);
    }
  },
  cp: copies,
  install: copies,
  ln(call, judging) {
    const args = readArguments(call.words, { short: "tS" });
    const [target, ...others] = args.operands;
    const path = literal(target);
    if (
      target &&
      path !== undefined &&
      !READ_ONLY.test(path) &&
      placeOf(target, call.around.directories, judging.rules).place === "outside" &&
      !/^\.\.\/./.test(path)
    )
      judging.refuse("write.outside", target);
    for (const field of others) judgeKnown(field, call, judging);
  },
  touch: writesAll,
  mkdir: writesAll,
  truncate(call, judging) {
    const args = readArguments(call.words, { short: "sr", long: ["size", "reference"] });
    limit(optionOf(args, "-s", "--size")?.value, judging);
    for (const field of args.operands) judgeKnown(field, call, judging);
  },
  fallocate(call, judging) {
    const args = readArguments(call.words, { short: "lo", long: ["length", "offset"] });
    limit(optionOf(args, "-l", "--length")?.value, judging);
    for (const field of args.operands) judgeKnown(field, call, judging);
  },
  head(call, judging) {
    const args = readArguments(call.words, { short: "nc", long: ["bytes", "lines"] });
    if (args.operands.some((field) => ENDLESS.test(literal(field) ?? "")))
      limit(optionOf(args, "-c", "--bytes")?.value, judging);
  },
  dd: runDd,
  chmod(call, judging) {
    const [mode, ...files] = readArguments(call.words.filter((field) => !/^-[rwxXst]/.test(leading(field)))).operands;
    if (/[ug]?[+=][rwx]*s|^0?[2467]\d{3}$/.test(literal(mode) ?? ""))
      judging.refuse("write.privileged", mode ?? call.name);
    for (const field of files) judgeKnown(field, call, judging);
  },
  chown: ownership,
  chgrp: ownership,
  setfacl: writesAll,
  patch(call, judging) {
    const args = readArguments(call.words, { short: "dioprBDFY", long: ["directory", "output", "input"] });
    for (const { name, value } of args.options)
      if (/^(-d|-o|--directory|--output)$/.test(name) && value) judgeKnown(value, call, judging);
    for (const field of args.operands) judgeKnown(field, call, judging);
  },
};

function copies(call: Call, judging: Judging): void {
  const args = readArguments(call.words, {
    short: "tSmog",
    long: ["target-directory", "suffix", "mode", "owner", "group"],
  });
  const directory = optionOf(args, "-t", "--target-directory")?.value;
  const target = directory ?? args.operands.at(-1);
  if (target && (directory || args.operands.length > 1)) judgeKnown(target, call, judging);
  noteMoved(args.operands, call, judging);
  if (args.operands.some((field) => ENDLESS.test(literal(field) ?? "")) && args.operands.length > 1)
    judging.refuse("bomb.disk", call.name);
  const mode = optionOf(args, "-m", "--mode");
  if (mode && /s|^[2467]\d{3}$/.test(literal(mode.value) ?? "") && call.base === "install")
    judging.refuse("write.privileged", mode.field);
}

function writesAll(call: Call, judging: Judging): void {
  for (const field of readArguments(call.words, { short: "mdtr", long: ["mode", "date", "reference"] }).operands)
    judgeKnown(field, call, judging);
}

function ownership(call: Call, judging: Judging): void {
  const args = readArguments(call.words, { long: ["reference", "from"] });
  for (const field of hasOption(args, "--reference") ? args.operands : args.operands.slice(1))
    judgeKnown(field, call, judging);
}

function runDd(call: Call, judging: Judging): void {
  const value = (name: string): Field | undefined => {
    const field = call.words.find((word) => leading(word).startsWith(`${name}=`));
    return field && after(field, name.length + 1);
  };
  const [output, input, size, count] = [value("of"), value("if"), value("bs"), value("count")];
  if (output) judgeWrite(output, call, judging);
  const isEndless =
    ENDLESS.test(literal(input) ?? "") || (call.input.kind === "file" && ENDLESS.test(literal(call.input.field) ?? ""));
  if (!isEndless || literal(output) === "/dev/null") return;
  const bytes = bytesOf(literal(size) ?? "512") * bytesOf(literal(count) ?? "?");
  if (!(bytes <= MOST_BYTES)) judging.refuse("bomb.disk", input ?? call.name, "dd without a bound, or beyond 1 GB");
}

function limit(size: Field | undefined, judging: Judging): void {
  if (size && bytesOf(literal(size) ?? "?") > MOST_BYTES) judging.refuse("bomb.disk", size);
}

/** `64`, `1K`, `10MB`; not a number when it is none. */
function bytesOf(text: string): number {
  const match = /^[+<>/%-]?(\d{1,18})([kKMGTPE]?)(i?B)?$/.exec(text);
  if (!match) return Number.NaN;
  return Number(match[1]) * 1024 ** ["", "K", "M", "G", "T", "P", "E"].indexOf((match[2] ?? "").toUpperCase());
}
