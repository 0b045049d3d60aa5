import type { Call, Handler, Judging } from "../judging/judging.ts";
import { readArguments } from "../judging/options.ts";
import type { Install } from "../judging/verdict.ts";
import { type Field, literal } from "../shell/field.ts";
import { installPackages, judgeInstallOption } from "./install-packages.ts";

export const packageRunnerHandlers: Record<string, Handler> = {
  npx: (call, judging) => runPackage("javascript", "npx", call.words, call, judging),
  bunx: (call, judging) => runPackage("javascript", "bunx", call.words, call, judging),
  uvx: (call, judging) => runPackage("python", "uvx", call.words, call, judging),
};

/** npx, `pnpm dlx`, uvx: fetches what is not there. A command that a listed package brings is most likely there. */
export function runPackage(
  language: Install["language"],
  manager: string,
  words: Field[],
  call: Call,
  judging: Judging,
): void {
  const args = readArguments(words, {
    short: "pc",
    long: ["package", "call", "from", "with", "registry"],
    stops: true,
  });
  for (const option of args.options) judgeInstallOption(option, manager, judging);
  const text = args.options.find(({ name }) => name === "-c" || name === "--call")?.value;
  if (text) judging.script(text, call);
  // What runs in the end is a program like any other.
  if (/^[\w.-]+$/.test(literal(args.operands[0]) ?? "")) judging.run(args.operands, call);
  if (args.options.some(({ name }) => name === "--no-install" || name === "--offline" || name === "--no")) return;
  const named = args.options.flatMap(({ name, value }) =>
    /^(-p|--package|--from|--with)$/.test(name) && value ? [value] : [],
  );
  const [program] = args.operands;
  if (named.length === 0 && program === undefined) return;
  const commands = language === "other" ? {} : judging.rules.dependencies[language === "go" ? "go" : language].commands;
  const name = literal(program);
  if (named.length === 0 && name !== undefined && Object.hasOwn(commands, name)) return;
  installPackages(manager, language, named.length > 0 ? named : program ? [program] : [], judging);
}
