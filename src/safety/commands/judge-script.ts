import { parse } from "unbash";
import { type Field, literal, textField } from "./field.ts";
import { DEEPEST, type Judging, type Setting } from "./judging.ts";
import { readScope } from "./scope.ts";
import { walkScript } from "./walk.ts";

/** Text that a shell will read: `sh -c '…'`, eval, a trap, an alias. Reasons in it point at the word that holds it. */
export function judgeScript(text: Field, setting: Setting, judging: Judging, own = false): void {
  // A number changes nothing that is read as a command.
  const pieces = text.pieces.map((piece) => (piece.kind === "tame" ? { kind: "text" as const, text: "0" } : piece));
  const source = literal({ ...text, pieces });
  if (source === undefined) {
    judging.refuse("run.unresolved", text);
    return;
  }
  if (setting.depth >= DEEPEST) {
    judging.refuse("line.too-complex", text);
    return;
  }
  judging.nested(source.length);
  const script = parse(source);
  const within = { from: text.from, to: text.to };
  for (const { message } of script.errors ?? [])
    judging.refuse("line.unreadable", textField(message, within.from, within.to));
  const scope = readScope(script);
  // A new shell knows the functions and variables of this one only when they are exported; eval knows all, which `opaque` covers.
  if (own) {
    scope.opaque = true;
    for (const [name, definition] of setting.around.scope.functions)
      if (!scope.functions.has(name)) scope.functions.set(name, definition);
    for (const name of setting.around.scope.functions.keys()) scope.called.add(name);
  }
  walkScript(script, { ...setting, depth: setting.depth + 1, around: { ...setting.around, scope, within } }, judging);
}
