import { posix } from "node:path";
import { type Field, literal } from "../shell/field.ts";
import type { Judging, Setting } from "./judging.ts";
import { NOWHERE, placeOf } from "./place.ts";

/** A file is written here: a redirect's target, `tee`'s operand, `dd of=`. */
export function judgeWrite(field: Field, { around }: Setting, judging: Judging): void {
  const { place, open } = placeOf(field, around.directories, judging.rules);
  if (field.pieces.length === 1 && field.pieces[0]?.kind === "pipe") return;
  if (place === "outside") judging.refuse("write.outside", field);
  else if (place === "guarded") judging.refuse("write.guarded", field);
  else if (place === "unknown" || open === "computed") judging.refuse("write.unresolved", field);
}

/** The same where only what is surely wrong counts: a name out of a loop is ordinary, and the sandbox writes nowhere else. */
export function judgeKnown(field: Field, { around }: Setting, judging: Judging): void {
  const { place } = placeOf(field, around.directories, judging.rules);
  if (place === "outside") judging.refuse("write.outside", field);
  else if (place === "guarded") judging.refuse("write.guarded", field);
}

/** What the line writes, so that running it can be judged by its text. */
export function noteWritten(field: Field, { around }: Setting, judging: Judging, text: string | undefined): void {
  const path = literal(field);
  if (path === undefined) return;
  for (const directory of around.directories) {
    if (directory !== NOWHERE)
      judging.written.push({ path: posix.resolve(directory, path), text, from: field.from, to: field.to });
  }
}
