import { posix } from "node:path";
import type { Command, Redirection } from "unbash";
import { expandParts, expandUnsplit } from "./expand-word.ts";
import { type Field, literal, shown } from "./field.ts";
import type { Input, Judging, Setting } from "./judging.ts";
import { isSecret, NOWHERE, placeOf } from "./place.ts";
import { outputOf } from "./produced-by.ts";

/** Judges where output goes and input comes from. Gives the input, where a redirect sets it. */
export function judgeRedirects(
  redirects: readonly Redirection[],
  setting: Setting,
  judging: Judging,
  command?: Command,
): Input | undefined {
  let input: Input | undefined;
  const { around } = setting;
  for (const redirect of redirects) {
    const isInput =
      redirect.descriptor === undefined ||
      (redirect.descriptor.type === "FileDescriptor" && redirect.descriptor.value === 0);
    const range = around.within ?? { from: redirect.pos, to: redirect.end };
    if (redirect.type === "HereDoc") {
      const { body } = redirect;
      const pieces =
        body.parts === undefined ? [{ kind: "text" as const, text: body.text }] : expandParts(body.parts, around);
      if (isInput) input = { kind: "text", field: { pieces, ...range }, piped: false };
      continue;
    }
    if (redirect.target === undefined) continue;
    const fields = expandUnsplit(redirect.target, around).map((field) => ({ ...field, ...range }));
    if (redirect.type === "HereString") {
      const [field] = fields;
      if (isInput && field) input = { kind: "text", field: fields.length === 1 ? field : unsure(field), piped: false };
      continue;
    }
    const isCopy = /&/.test(redirect.operator) && !redirect.operator.startsWith("&");
    if (isCopy && /^(\d+-?|-)$/.test(redirect.target.value)) continue;
    for (const field of fields) {
      if (/^\/dev\/(tcp|udp)\//.test(shown(field))) judging.refuse("network.device", field);
      if (redirect.operator === "<" || redirect.operator === "<&") {
        if (isInput) input = { kind: "file", field };
        if (isSecret(field, around.directories, judging.rules)) judging.refuse("secret.read", field);
      } else {
        judgeWrite(field, setting, judging);
        noteWritten(field, setting, judging, command && outputOf(command, setting));
      }
    }
  }
  return input;
}

const unsure = (field: Field): Field => ({ ...field, pieces: [{ kind: "computed", text: shown(field) }] });

/** A file is written here: a redirect's target, `tee`'s operand, `dd of=`. */
export function judgeWrite(field: Field, { around }: Setting, judging: Judging): void {
  const { place, open } = placeOf(field, around.directories, judging.rules);
  if (field.pieces.length === 1 && field.pieces[0]?.kind === "pipe") return;
  if (place === "outside") judging.refuse("write.outside", field);
  else if (place === "guarded") judging.refuse("write.guarded", field);
  else if (place === "unknown" || open === "computed") judging.refuse("write.unresolved", field);
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
