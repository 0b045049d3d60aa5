import type { Call, Handler, Judging } from "../judging/judging.ts";
import { type OptionShape, readArguments } from "../judging/options.ts";
import { type Field, holds, literal, shown, textField } from "../shell/field.ts";
import { withoutExecutedFiles } from "./executed-files.ts";
import { judgeCode } from "./inline-code.ts";
import { installWith } from "./installs.ts";
import { judgeWrittenFile, judgeWrittenSources } from "./written-file.ts";

interface Interpreter extends OptionShape {
  language: string;
  /** Options whose value is code. */
  code: string[];
}

const INTERPRETERS: Record<string, Interpreter> = {
  python: { language: "python", short: "cmWX", code: ["-c"], stops: true },
  node: {
    language: "node",
    short: "epr",
    long: [
      "eval",
      "print",
      "require",
      "import",
      "loader",
      "input-type",
      "env-file",
      "test-name-pattern",
      "test-reporter",
    ],
    code: ["-e", "-p", "--eval", "--print"],
    stops: true,
  },
  bun: { language: "node", short: "ep", long: ["eval", "print"], code: ["-e", "-p", "--eval", "--print"], stops: true },
  perl: { language: "perl", short: "eEIMmx", code: ["-e", "-E"], stops: true },
  ruby: { language: "ruby", short: "eIrCE", code: ["-e"], stops: true },
  php: { language: "php", short: "rdBRFEc", code: ["-r", "-B", "-R", "-E"], stops: true },
  lua: { language: "lua", short: "el", code: ["-e"], stops: true },
  Rscript: { language: "r", short: "e", code: ["-e"], stops: true },
  julia: { language: "r", short: "eE", long: ["eval", "print"], code: ["-e", "-E", "--eval", "--print"], stops: true },
};

/** Seldom seen: code on the command line or on the input is judged by its words alone. */
const OTHERS: Record<string, Interpreter> = {
  jshell: { language: "other", short: "R", long: ["startup", "class-path"], code: [] },
  groovy: { language: "other", short: "ec", code: ["-e"], stops: true },
  scala: { language: "other", short: "e", code: ["-e"], stops: true },
  elixir: {
    language: "other",
    short: "er",
    long: ["eval", "rpc-eval"],
    code: ["-e", "--eval", "--rpc-eval"],
    stops: true,
  },
  iex: { language: "other", short: "e", long: ["eval"], code: ["-e", "--eval"], stops: true },
  ghc: { language: "other", short: "eo", code: ["-e"] },
  ghci: { language: "other", short: "e", code: ["-e"] },
  racket: { language: "other", short: "e", long: ["eval"], code: ["-e", "--eval"], stops: true },
  sbcl: { language: "other", long: ["eval", "load"], code: ["--eval"] },
  clisp: { language: "other", short: "x", code: ["-x"] },
  clojure: { language: "other", short: "e", code: ["-e"] },
  ocaml: { language: "other", short: "e", code: ["-e"] },
  swipl: { language: "other", short: "gt", code: ["-g", "-t"] },
  octave: { language: "other", long: ["eval"], code: ["--eval"] },
  gnuplot: { language: "other", short: "e", code: ["-e"] },
  raku: { language: "other", short: "e", code: ["-e"], stops: true },
  R: { language: "r", short: "e", code: ["-e"] },
  dc: { language: "dc", short: "ef", long: ["expression", "file"], code: ["-e", "--expression"] },
};

export const interpreterHandlers: Record<string, Handler> = {
  ...Object.fromEntries(
    Object.entries({ ...INTERPRETERS, ...OTHERS }).map(([name, interpreter]): [string, Handler] => [
      name,
      (call, judging) => runInterpreter(interpreter, call, judging),
    ]),
  ),
  deno(call, judging) {
    const [word, code] = readArguments(call.words).operands;
    if (literal(word) === "eval" && code) judgeCode("node", code, call, judging);
  },
  tsx(call, judging) {
    runInterpreter({ ...INTERPRETERS.node, language: "node", code: ["-e", "-p", "--eval"] }, call, judging);
  },
};

function runInterpreter(interpreter: Interpreter, call: Call, judging: Judging): void {
  const { language, code } = interpreter;
  // `-pe` is print and eval, not print of the text `e`.
  const words = call.words.map((field) =>
    /^-(pe|ep)$/.test(literal(field) ?? "") && language === "node" ? textField("-e", field.from, field.to) : field,
  );
  const { options, operands } = readArguments(words, interpreter);
  const inline = options.filter(({ name }) => code.includes(name));
  for (const { value } of inline) if (value) runInline(language, value, call, judging);
  if (inline.length > 0) return;
  const module = language === "python" ? options.find(({ name }) => name === "-m")?.value : undefined;
  if (module) {
    runModule(literal(module), operands, call, judging);
    return;
  }
  if (language === "node" && options.some(({ name }) => name === "--test"))
    judgeWrittenSources(["node"], call, judging);
  if (options.some(({ name }) => /^(--version|-V|--help|-h|-v|--check|--test|--run)$/.test(name))) return;
  const [file] = operands;
  if (file && literal(file) !== "-") {
    if (holds(file, "pipe") || /^\/(dev|proc)\//.test(shown(file))) readInput(language, call, judging, file);
    else judgeWrittenFile(file, call, judging, language);
    return;
  }
  if (language === "node" && call.base === "bun") return;
  readInput(language, call, judging, call.name);
}

function runInline(language: string, code: Field, call: Call, judging: Judging): void {
  if (language !== "python") {
    judgeCode(language, code, call, judging);
    return;
  }
  const { code: rest, files } = withoutExecutedFiles(code);
  judgeCode(language, rest, call, judging);
  for (const file of files) judgeWrittenFile(file, call, judging, language);
}

/** Code that arrives on the input: judged when it is known, refused when it is not. */
function readInput(language: string, call: Call, judging: Judging, place: Field): void {
  const { input } = call;
  if (input.kind === "text") judgeCode(language, input.field, call, judging);
  else if (input.kind === "file" && !holds(input.field, "pipe")) judgeWrittenFile(input.field, call, judging, language);
  else if (input.kind === "pipe" || input.kind === "listing" || input.kind === "file" || holds(place, "pipe"))
    judging.refuse("run.from-input", place);
}

function runModule(module: string | undefined, operands: Field[], call: Call, judging: Judging): void {
  if (module === undefined) {
    judging.refuse("run.unresolved", call.name);
    return;
  }
  if (module === "pip") {
    installWith("pip", { ...call, words: operands }, judging);
    return;
  }
  judging.executes = true;
  if (/^(pytest|unittest|coverage|doctest|nose2)$/.test(module)) judgeWrittenSources(["python"], call, judging);
  if (module === "timeit") for (const field of operands) judgeCode("python", field, call, judging);
  if (module === "cProfile" || module === "pdb" || module === "trace") {
    const file = operands.find((field) => literal(field)?.endsWith(".py"));
    if (file) judgeWrittenFile(file, call, judging, "python");
  }
}
