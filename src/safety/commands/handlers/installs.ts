import { splitSubcommand } from "../judging/call-patterns.ts";
import type { Call, Handler, Judging } from "../judging/judging.ts";
import { readArguments } from "../judging/options.ts";
import { type Field, leading, literal } from "../shell/field.ts";
import { installManifest, installPackages, judgeInstallOption } from "./install-packages.ts";
import { specialNpm } from "./npm.ts";
import { MANAGERS } from "./package-managers.ts";
import { runPackage } from "./run-package.ts";
import { judgePackageScript } from "./test-runners.ts";
import { subcommandWrappers } from "./wrappers.ts";
import { judgeWrittenSources } from "./written-file.ts";

export const installHandlers: Record<string, Handler> = Object.fromEntries(
  Object.keys(MANAGERS).map((name): [string, Handler] => [name, (call, judging) => installWith(name, call, judging)]),
);

export function installWith(name: string, call: Call, judging: Judging): void {
  const manager = MANAGERS[name];
  if (manager === undefined) return;
  subcommandWrappers[name]?.(call, judging);
  const { before, words } = splitSubcommand(name, call.words);
  const args = readArguments(words, manager.options);
  const [first, second] = args.operands.map(literal);
  const two = `${first} ${second}`;
  const known = (list: string[] = []) => (list.includes(two) ? 2 : first !== undefined && list.includes(first) ? 1 : 0);
  for (const option of [...readArguments(before, manager.options).options, ...args.options])
    judgeInstallOption(option, name, judging);

  if (manager.language === "javascript") judgePackageScript(words, call, judging);
  if (manager.language === "go") judgeWrittenSources(["go"], call, judging);
  if (name === "npm" && specialNpm(first, args.operands, words, call, judging)) return;
  if (name === "go" && specialGo(first, call, judging)) return;
  if (name === "uv" && first === "run") {
    uvRun(words.slice(1), call, judging);
    return;
  }
  if (name === "pnpm" && first === "exec") {
    judging.run(words.slice(1), call);
    return;
  }
  const runs = known(manager.runs);
  if (runs > 0) {
    runPackage(manager.language, name, words.slice(runs), call, judging);
    return;
  }
  if (known(manager.syncs) > 0) {
    if (args.options.some(({ name: option }) => option === "--offline")) return;
    installManifest(name, manager, manager.manifest ?? null, call, judging);
    return;
  }
  const adds = known(manager.adds);
  if (adds === 0) {
    if (
      manager.bare &&
      first === undefined &&
      args.options.every(({ name: option }) => !/^--?(v|version|h|help)$/.test(option))
    )
      installManifest(name, manager, manager.manifest ?? null, call, judging);
    return;
  }
  const packages = args.operands.slice(adds);
  const files = args.options.filter(({ name: option }) => option === "-r" || option === "--requirement");
  for (const { value } of files) installManifest(name, manager, literal(value) ?? null, call, judging);
  for (const { name: option, value } of args.options)
    if ((option === "-e" || option === "--editable") && value) judging.refuse("install.direct", value);
  if (packages.length === 0 && files.length === 0 && manager.manifest) {
    installManifest(name, manager, manager.manifest, call, judging);
    return;
  }
  installPackages(name, manager.language, packages, judging);
}

function uvRun(words: Field[], call: Call, judging: Judging): void {
  const args = readArguments(words, {
    short: "p",
    long: ["with", "with-requirements", "python", "extra", "group"],
    stops: true,
  });
  const added = args.options.flatMap(({ name, value }) => (name === "--with" && value ? [value] : []));
  if (added.length > 0) installPackages("uv", "python", added, judging);
  judging.run(args.operands, call);
}

function specialGo(first: string | undefined, call: Call, judging: Judging): boolean {
  const exec = call.words.find((field) => /^--?(exec|toolexec|vettool|overlay)\b/.test(leading(field)));
  if (exec) judging.refuse("run.program", exec);
  if (first !== "run") return false;
  const target = call.words.slice(1).find((field) => !leading(field).startsWith("-"));
  if (target && literal(target)?.includes("@")) installPackages("go", "go", [target], judging);
  return true;
}
