import type { Call, Handler, Judging } from "../judging/judging.ts";
import { hasOption, type OptionShape, optionOf, readArguments } from "../judging/options.ts";
import { type Field, joinFields, literal, type Piece, substitute } from "../shell/field.ts";

/** Programs that run a command once for each of many words. */
export const xargsHandlers: Record<string, Handler> = {
  xargs: runXargs,
  parallel(call, judging) {
    const end = call.words.findIndex((field) => /^:::/.test(literal(field) ?? ""));
    const args = readArguments(call.words.slice(0, end === -1 ? undefined : end), { short: "jNnLPI", stops: true });
    if (hasOption(args, "--version", "--help")) return;
    for (const word of end === -1 ? [hole(call, "computed")] : call.words.slice(end + 1))
      judging.script(joinFields([...args.operands, word]), call);
  },
};

const XARGS: OptionShape = {
  short: "IEadLnPs",
  long: ["arg-file", "delimiter", "max-args", "max-lines", "max-procs", "max-chars", "replace", "eof"],
  stops: true,
};

/** What xargs appends: the words of an echo, paths of a listing, or anything. */
function runXargs(call: Call, judging: Judging): void {
  const args = readArguments(call.words, XARGS);
  if (args.operands.length === 0) return;
  const mark = optionOf(args, "-I", "--replace")?.value;
  const { input } = call;
  const fromFile = hasOption(args, "-a", "--arg-file");
  const given = input.kind === "text" && !fromFile ? literal(input.field) : undefined;
  const texts =
    given === undefined
      ? undefined
      : given
          .split(mark ? /\n/ : /\s+/)
          .map((text) => text.trim())
          .filter((text) => text !== "");
  const pieces: Piece[] = texts?.map((text) => ({ kind: "text", text: text.replace(/^(["'])(.*)\1$/s, "$2") })) ?? [
    input.kind === "listing" && !fromFile ? foundBy(input) : { kind: "computed", text: "{}" },
  ];
  const inner = { ...call, input: { kind: "none" as const } };
  if (mark) {
    const text = literal(mark) || "{}";
    for (const piece of pieces.slice(0, 32))
      judging.run(
        args.operands.map((field) => substitute(field, text, piece)),
        inner,
      );
  } else {
    const added = pieces.slice(0, 64).map((piece) => ({ ...hole(call, "computed"), pieces: [piece] }));
    judging.run([...args.operands, ...added], inner);
  }
}

const foundBy = ({ narrowed, recursive }: { narrowed: boolean; recursive: boolean }): Piece => ({
  kind: "found",
  text: recursive ? "{found by name}" : "{found}",
  narrowed,
});

function hole({ name }: Call, kind: "computed"): Field {
  return { pieces: [{ kind, text: "{}" }], from: name.from, to: name.to };
}
