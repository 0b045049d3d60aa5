import { posix } from "node:path";
import { after, type Field, leading, literal, type Piece, substitute, textField } from "../field.ts";
import type { Call, Judging } from "../judging.ts";
import { hasOption, type OptionShape, optionOf, readArguments } from "../options.ts";
import { NOWHERE } from "../place.ts";
import { judgeVariable } from "../variables.ts";
import type { Handler } from "./handlers.ts";

/** Programs that run the rest of their words; `skip` words of their own stand before it. */
const PLAIN: Record<string, OptionShape & { skip?: number }> = {
  nice: { short: "n", long: ["adjustment"] },
  nohup: {},
  setsid: {},
  stdbuf: { short: "ioe", long: ["input", "output", "error"] },
  time: { short: "fo", long: ["format", "output"] },
  timeout: { short: "sk", long: ["signal", "kill-after"], skip: 1 },
  ionice: { short: "cnpPu" },
  chrt: { skip: 1 },
  taskset: { skip: 1 },
  numactl: {},
  setarch: { skip: 1 },
  linux32: {},
  linux64: {},
  faketime: { skip: 1 },
  fakeroot: {},
  eatmydata: {},
  builtin: {},
  exec: { short: "a" },
  strace: { short: "eoPpsSuEabXI" },
  ltrace: { short: "eoPpsSuEabXI" },
  valgrind: {},
  catchsegv: {},
  busybox: {},
  toybox: {},
  "xvfb-run": { short: "nsef" },
  "cross-env": {},
  sudo: { short: "ugphCTRDr" },
  doas: { short: "uC" },
  chroot: { skip: 1 },
  unshare: {},
  direnv: { skip: 2 },
};

/** `uv run x`, `poetry run x`: the word, then a command. */
const SUBCOMMANDS: Record<string, string[]> = {
  poetry: ["run"],
  pipenv: ["run"],
  pdm: ["run"],
  rye: ["run"],
  hatch: ["run"],
  bundle: ["exec"],
  mise: ["exec", "x"],
  asdf: ["exec"],
};

const plain = Object.fromEntries(
  Object.entries(PLAIN).map(([name, { skip = 0, ...shape }]): [string, Handler] => [
    name,
    (call, judging) =>
      judging.run(
        withoutAssignments(readArguments(call.words, { ...shape, stops: true }).operands.slice(skip), judging),
        call,
      ),
  ]),
);

export const subcommandWrappers = Object.fromEntries(
  Object.entries(SUBCOMMANDS).map(([name, words]): [string, Handler] => [
    name,
    (call, judging) => {
      const { operands } = readArguments(call.words, { stops: true });
      if (words.includes(literal(operands[0]) ?? ""))
        judging.run(readArguments(operands.slice(1), { stops: true }).operands, call);
    },
  ]),
);

export const wrapperHandlers: Record<string, Handler> = {
  ...plain,
  ...subcommandWrappers,
  env: runEnv,
  command(call, judging) {
    const args = readArguments(call.words, { stops: true });
    if (!hasOption(args, "-v", "-V")) judging.run(args.operands, call);
  },
  xargs: runXargs,
  parallel(call, judging) {
    const end = call.words.findIndex((field) => /^:::/.test(literal(field) ?? ""));
    const command = readArguments(call.words.slice(0, end === -1 ? undefined : end), {
      short: "jNnLPI",
      stops: true,
    }).operands;
    for (const word of end === -1 ? [hole(call, "computed")] : call.words.slice(end + 1))
      judging.script(joined([...command, word]), call);
  },
  watch(call, judging) {
    const { operands } = readArguments(call.words, { short: "n", long: ["interval"], stops: true });
    if (operands.length > 0) judging.script(joined(operands), call);
  },
  flock(call, judging) {
    const args = readArguments(call.words, { short: "wEc", long: ["timeout", "command"] });
    const text = optionOf(args, "-c", "--command")?.value;
    if (text) judging.script(text, call);
    else judging.run(readArguments(call.words, { short: "wE", stops: true }).operands.slice(1), call);
  },
  script(call, judging) {
    const text = optionOf(
      readArguments(call.words, { short: "cIOBTElm", long: ["command"] }),
      "-c",
      "--command",
    )?.value;
    if (text) judging.script(text, call);
  },
  hyperfine(call, judging) {
    const args = readArguments(call.words, {
      short: "wmMrpcsLDPunNi",
      long: ["warmup", "min-runs", "max-runs", "runs", "prepare", "cleanup", "setup", "export-json", "export-markdown"],
    });
    for (const text of [
      ...args.operands,
      ...args.options.flatMap(({ name, value }) =>
        /^-[pcs]$|^--(prepare|cleanup|setup)$/.test(name) && value ? [value] : [],
      ),
    ])
      judging.script(text, call);
  },
  eval(call, judging) {
    if (call.words.length > 0) judging.script(joined(call.words), call, true);
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
};

function declares({ words }: Call, judging: Judging): void {
  withoutAssignments(words, judging, true);
}

/** Assignments before a command are judged and taken away. */
function withoutAssignments(words: Field[], judging: Judging, everywhere = false): Field[] {
  const others: Field[] = [];
  for (const field of words) {
    const match = /^([A-Za-z_]\w*)\+?=/.exec(leading(field));
    if (match && (everywhere || others.length === 0))
      judgeVariable(match[1] ?? "", after(field, match[0].length), judging);
    else others.push(field);
  }
  return others;
}

function runEnv(call: Call, judging: Judging): void {
  const args = readArguments(call.words, {
    short: "uCSa",
    long: ["unset", "chdir", "split-string", "argv0"],
    stops: true,
  });
  const directory = optionOf(args, "-C", "--chdir")?.value;
  const moved = directory && (literal(directory) ?? NOWHERE);
  const directories =
    moved === undefined ? call.around.directories : [moved.startsWith("/") ? posix.normalize(moved) : NOWHERE];
  const inner = { ...call, around: { ...call.around, directories } };
  const split = optionOf(args, "-S", "--split-string")?.value;
  if (split) judging.script(joined([split, ...args.operands]), inner);
  else judging.run(withoutAssignments(args.operands, judging), inner);
}

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

/** Words joined by blanks, as eval and `sh -c "$*"` do it. */
export function joined(fields: Field[]): Field {
  const [first, ...others] = fields;
  if (first === undefined) return textField("", 0, 0);
  const blank: Piece = { kind: "text", text: " " };
  const pieces = [...first.pieces, ...others.flatMap((field) => [blank, ...field.pieces])];
  const to = others.at(-1)?.to ?? first.to;
  return { pieces, from: first.from, to: Math.max(to, first.to) };
}
