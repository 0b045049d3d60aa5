import { readFind } from "../judging/find-arguments.ts";
import type { Call, Handler, Judging, Setting } from "../judging/judging.ts";
import { hasOption, readArguments } from "../judging/options.ts";
import { placeOf } from "../judging/place.ts";
import { judgeWrite } from "../judging/writes.ts";
import { type Field, literal, type Piece, substitute, textField } from "../shell/field.ts";
import { noteMoved } from "./written-file.ts";

export const deletionHandlers: Record<string, Handler> = {
  rm(call, judging) {
    const args = readArguments(call.words);
    const recursive = hasOption(args, "-r", "-R", "--recursive");
    for (const field of args.operands) judgeDeletion(field, recursive, call, judging);
  },
  unlink: deleteAll,
  rmdir: deleteAll,
  shred: deleteAll,
  wipe: deleteAll,
  srm: deleteAll,
  rimraf: deleteTrees,
  trash: deleteTrees,
  find: runFind,
  mv(call, judging) {
    const { operands, options } = readArguments(call.words, { short: "tS", long: ["target-directory", "suffix"] });
    for (const { name, value } of options) if (/^-t|^--target/.test(name) && value) judgeWrite(value, call, judging);
    for (const field of operands) {
      const { place } = placeOf(field, call.around.directories, judging.rules);
      if (place === "outside" || (place === "device" && field === operands.at(-1)))
        judging.refuse("delete.outside", field);
      if (place === "guarded") judging.refuse("delete.guarded", field);
      if (place === "root" && field !== operands.at(-1) && literal(field) !== undefined)
        judging.refuse("delete.root", field);
    }
    noteMoved(operands, call, judging);
  },
  rsync(call, judging) {
    const args = readArguments(call.words, { short: "e", long: ["rsh", "exclude", "include", "files-from"] });
    const target = args.operands.at(-1);
    for (const field of args.operands)
      if (/^[\w.@-]+:/.test(literal(field) ?? "")) judging.refuse("network.remote", field);
    if (target === undefined || args.operands.length < 2) return;
    judgeWrite(target, call, judging);
    if (args.options.some(({ name }) => name.startsWith("--del") || name === "--remove-source-files"))
      judgeDeletion(target, true, call, judging);
  },
};

function deleteAll(call: Call, judging: Judging): void {
  for (const field of readArguments(call.words, { short: "ns" }).operands) judgeDeletion(field, false, call, judging);
}

function deleteTrees(call: Call, judging: Judging): void {
  for (const field of readArguments(call.words).operands) judgeDeletion(field, true, call, judging);
}

/** Ordinary work deletes by name, below the workspace. Everything else has to be told before it runs. */
export function judgeDeletion(field: Field, recursive: boolean, { around }: Setting, judging: Judging): void {
  const { place, open } = placeOf(field, around.directories, judging.rules);
  const isFoundLoosely = field.pieces.some((piece) => piece.kind === "found" && piece.text === "{found}");
  if (place === "outside" || place === "device") judging.refuse("delete.outside", field);
  else if (place === "guarded") judging.refuse("delete.guarded", field);
  else if (place === "root") judging.refuse("delete.root", field);
  else if (place === "unknown" || open === "computed" || (recursive && (open === "outer" || isFoundLoosely)))
    judging.refuse("delete.unresolved", field);
}

function runFind(call: Call, judging: Judging): void {
  const find = readFind(call.words);
  for (const file of find.files) judgeWrite(file, call, judging);
  const places = find.roots.map((root) => placeOf(root, call.around.directories, judging.rules).place);
  const isInside = places.every((place) => place === "inside" || place === "root");
  if (find.deletes) {
    if (!isInside) judging.refuse("delete.outside", find.deletes);
    else if (!find.isNarrowed) judging.refuse("delete.unresolved", find.deletes);
  }
  const piece: Piece = {
    kind: "found",
    text: find.isNarrowed ? "{found by name}" : "{}",
    narrowed: isInside && find.isNarrowed,
  };
  for (const command of find.commands) {
    const words = command.map((field) => substitute(field, "{}", piece));
    const [name] = words;
    if (name === undefined) judging.refuse("run.unresolved", textField("-exec", call.name.from, call.name.to));
    else judging.run(words, { ...call, input: { kind: "none" } });
  }
}
