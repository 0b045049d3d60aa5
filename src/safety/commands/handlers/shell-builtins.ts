import type { Call, Handler, Judging } from "../judging/judging.ts";
import { optionOf, readArguments } from "../judging/options.ts";
import { withoutAssignments } from "../judging/variables.ts";
import { after, joinFields, leading, literal } from "../shell/field.ts";

/** Builtins that run text in this very shell, or give its names a meaning. */
export const builtinHandlers: Record<string, Handler> = {
  eval(call, judging) {
    if (call.words.length > 0) judging.script(joinFields(call.words), call, true);
  },
  trap(call, judging) {
    const [action, ...signals] = readArguments(call.words).operands;
    if (action && signals.length > 0 && literal(action) !== "-" && !/^\d+$/.test(literal(action) ?? ""))
      judging.script(action, call, true);
  },
  alias(call, judging) {
    for (const field of call.words) {
      const equals = leading(field).indexOf("=");
      const name = leading(field).slice(0, equals);
      if (equals < 1) continue;
      judging.script(after(field, equals + 1), { ...call, calling: [...call.calling, name] }, true);
      if (
        /^(ls|cd|git|rm|cp|mv|cat|echo|sudo|python3?|node|npm|pip3?|make|test|exit|env|sh|bash|grep|find)$/.test(name)
      )
        judging.refuse("shadow.name", field);
    }
  },
  export: declares,
  declare: declares,
  typeset: declares,
  local: declares,
  readonly: declares,
  mapfile: callback,
  readarray: callback,
};

function declares({ words }: Call, judging: Judging): void {
  withoutAssignments(words, judging, true);
}

function callback(call: Call, judging: Judging): void {
  const text = optionOf(readArguments(call.words, { short: "dnOsuCc" }), "-C")?.value;
  if (text) judging.script(text, call, true);
}
