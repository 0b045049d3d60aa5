import { splitSubcommand } from "../judging/call-patterns.ts";
import type { Call, Handler, Judging } from "../judging/judging.ts";
import { optionOf, readArguments } from "../judging/options.ts";
import { judgeKnown, judgeWrite } from "../judging/writes.ts";
import { after, type Field, joinFields, leading, literal, shown } from "../shell/field.ts";
import { judgeDeletion } from "./deletion.ts";

/** Settings that only change how things look or what they are called. All others may run a program. */
const HARMLESS =
  /^(user\.(name|email|signingkey)|author\.\w+|committer\.\w+|color\..+|init\.defaultbranch|advice\..+|core\.(autocrlf|eol|quotepath|filemode|ignorecase|safecrlf|whitespace|abbrev|longpaths|symlinks|excludesfile)|commit\.(gpgsign|verbose)|tag\.(gpgsign|sort)|diff\.(noprefix|algorithm|renames|context|colormoved|mnemonicprefix)|merge\.(conflictstyle|ff)|pull\.(rebase|ff)|push\.default|log\..+|gc\.auto|safe\.directory|column\..+|rerere\..+|fetch\.prune|branch\..+|status\..+|format\.(pretty|signoff)|versionsort\..+|help\.autocorrect|index\.version|feature\..+|remote\.\w+\.(fetch))$/i;
const PAGER = /^core\.pager$|^pager\.|^core\.editor$|^sequence\.editor$/i;

export const gitHandlers: Record<string, Handler> = {
  git(call, judging) {
    const { before, words } = splitSubcommand("git", call.words);
    for (const { name, value } of readArguments(before, {
      short: "Cc",
      long: ["config-env", "git-dir", "work-tree", "namespace"],
    }).options) {
      if (name === "-c" && value) judgeSetting(value, judging);
      if (name === "--work-tree" && value) judgeWrite(value, call, judging);
    }
    const [subcommand, ...others] = words;
    if (subcommand === undefined) return;
    const name = literal(subcommand);
    if (name === undefined) return judging.refuse("name.unresolved", subcommand);
    subcommands[name]?.({ ...call, words: others }, judging);
  },
};

const subcommands: Record<string, Handler> = {
  config(call, judging) {
    const args = readArguments(call.words, { short: "f", long: ["file", "type", "default", "blob"] });
    const operands = args.operands.filter((field) => !/^(set|get|list|unset)$/.test(literal(field) ?? ""));
    const [key, value] = operands;
    if (
      args.options.some(({ name }) => /^--(get|list|unset|get-all|get-regexp|show-origin)$|^-l$/.test(name)) ||
      value === undefined
    )
      return;
    if (key) judgeSetting({ ...key, pieces: [...key.pieces, { kind: "text", text: "=" }, ...value.pieces] }, judging);
  },
  bisect(call, judging) {
    if (literal(call.words[0]) === "run") judging.run(call.words.slice(1), call);
  },
  submodule(call, judging) {
    const { operands } = readArguments(call.words, { stops: true });
    if (literal(operands[0]) === "foreach")
      judging.script(joinFields(readArguments(operands.slice(1), { stops: true }).operands), call);
  },
  stash() {},
  clone: reaches,
  init(call, judging) {
    for (const field of readArguments(call.words, { short: "b", long: ["initial-branch", "object-format"] }).operands)
      judgeKnown(field, call, judging);
  },
  rm(call, judging) {
    const args = readArguments(call.words);
    if (args.options.some(({ name }) => name === "--cached" || name === "-n")) return;
    for (const field of args.operands) judgeDeletion(field, true, call, judging);
  },
  clean(call, judging) {
    for (const field of readArguments(call.words, { short: "e", long: ["exclude"] }).operands)
      judgeKnown(field, call, judging);
  },
  worktree(call, judging) {
    const [verb, path] = readArguments(call.words, { short: "bB" }).operands;
    if (literal(verb) === "add" && path) judgeKnown(path, call, judging);
  },
  log: outputFile,
  diff: outputFile,
  show: outputFile,
  archive(call, judging) {
    const args = readArguments(call.words, { short: "o", long: ["output", "exec", "remote"] });
    const exec = optionOf(args, "--exec");
    if (exec) judging.refuse("git.exec", exec.field);
    const file = optionOf(args, "-o", "--output")?.value;
    if (file) judgeKnown(file, call, judging);
  },
};

function outputFile(call: Call, judging: Judging): void {
  const args = readArguments(call.words, { long: ["output"] });
  const file = args.options.find(({ name }) => name === "--output")?.value;
  if (file) judgeKnown(file, call, judging);
  const external = args.options.find(({ name }) => name === "--ext-diff");
  if (external) judging.refuse("git.exec", external.field);
}

function judgeSetting(field: Field, judging: Judging): void {
  const text = leading(field);
  const equals = text.indexOf("=");
  const key = equals === -1 ? text : text.slice(0, equals);
  const value = after(field, key.length + 1);
  if (HARMLESS.test(key)) return;
  if (PAGER.test(key) && judging.rules.harmlessPrograms.includes(literal(value) ?? "?")) return;
  judging.refuse("git.config", field);
}

/** A path of the machine is no network. */
function reaches(call: Call, judging: Judging): void {
  const args = readArguments(call.words, {
    short: "bojcu",
    long: ["branch", "depth", "origin", "reference", "config", "upload-pack"],
  });
  const [source, target] = args.operands;
  const text = literal(source);
  if (source && text?.startsWith("ext::")) judging.refuse("git.exec", source);
  else if (source && (text === undefined || !/^(file:\/\/|\.{0,2}\/|[\w.-]+(\/[\w./-]*)?$)/.test(text)))
    judging.refuse("network.request", source, shown(source));
  if (target) judgeKnown(target, call, judging);
}
