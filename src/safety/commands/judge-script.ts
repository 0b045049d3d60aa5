import { parse } from "unbash";
import { DEEPEST, type Judging, type Setting } from "./judging/judging.ts";
import { type Field, literal, type Piece, textField } from "./shell/field.ts";
import { readScope, type Scope } from "./shell/scope.ts";
import { walkScript } from "./walk.ts";

/** Text that a shell will read: `sh -c '…'`, eval, a trap, an alias. Reasons in it point at the word that holds it. */
export function judgeScript(text: Field, setting: Setting, judging: Judging, own = false): void {
  const pieces = text.pieces.map(asRead);
  const source = literal({ ...text, pieces });
  if (source === undefined) {
    judging.refuse("run.unresolved", text);
    return;
  }
  if (setting.depth >= DEEPEST) {
    judging.refuse("line.too-complex", text);
    return;
  }
  judging.nested(source, true);
  const script = parse(source);
  const within = { from: text.from, to: text.to };
  for (const { message } of script.errors ?? [])
    judging.refuse("line.unreadable", textField(message, within.from, within.to));
  const scope = readScope(script);
  // A function of the same name in this text is another one, and has not been looked at.
  const calling = own ? setting.calling.filter((name) => !scope.functions.has(name)) : [];
  if (own) inherit(scope, setting.around.scope, text.from);
  walkScript(
    script,
    { ...setting, calling, depth: setting.depth + 1, around: { ...setting.around, scope, within } },
    judging,
  );
  for (const name of scope.called) if (scope.inherited.has(name)) setting.around.scope.called.add(name);
}

/**
 * A number changes nothing that is read as a command. A name out of a listing of the workspace is read as the pattern
 * that would find it: as an argument it is ordinary, and where a program's name or a deletion stands it is refused.
 */
function asRead(piece: Piece): Piece {
  if (piece.kind === "tame") return { kind: "text", text: "77" };
  if (piece.kind !== "found" || !piece.narrowed) return piece;
  return { kind: "text", text: piece.text === "{found by name}" ? "found-*" : "*" };
}

/**
 * eval, traps and aliases run in this very shell and see its variables and functions; a new shell sees only what is
 * exported, and is taken to see nothing. What was surely set where the text stands is surely set in it.
 */
function inherit(scope: Scope, outer: Scope, at: number): void {
  scope.opaque ||= outer.opaque;
  scope.separatorChanged ||= outer.separatorChanged;
  scope.positionalMoves ||= outer.positionalMoves;
  scope.shifts ||= outer.shifts;
  scope.positional = outer.positional;
  for (const [name, givers] of outer.givers) {
    const moved = givers.map((giver) => ({
      ...giver,
      pos: -1,
      until: giver.pos < at && at < giver.until ? Number.POSITIVE_INFINITY : 0,
    }));
    scope.givers.set(name, [...moved, ...(scope.givers.get(name) ?? [])]);
  }
  for (const [name, definition] of outer.functions) {
    if (scope.functions.has(name)) continue;
    scope.functions.set(name, definition);
    scope.inherited.add(name);
  }
}
