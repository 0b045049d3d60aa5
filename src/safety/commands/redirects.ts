import type { Command, Redirection } from "unbash";
import type { Input, Judging, Setting } from "./judging/judging.ts";
import { isSecret } from "./judging/place.ts";
import { judgeWrite, noteWritten } from "./judging/writes.ts";
import { outputOf } from "./produced-by.ts";
import { expandParts, expandUnsplit } from "./shell/expand-word.ts";
import { type Field, shown } from "./shell/field.ts";

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
