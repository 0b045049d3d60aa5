import { after, type Field, leading, literal, type Piece, shown } from "../shell/field.ts";
import type { Judging } from "./judging.ts";

const HARMLESS_FOR_SCRIPTS = new Set([
  "npm_config_ignore_scripts=true",
  "npm_config_ignore_scripts=1",
  "yarn_enable_scripts=false",
  "yarn_enable_scripts=0",
  "pip_only_binary=:all:",
  "uv_no_build=1",
  "uv_no_build=true",
]);

/** An assignment that lasts or stands before a command: does it change which program runs? */
export function judgeVariable(name: string, value: Field, judging: Judging): void {
  const { variables, harmlessPrograms } = judging.rules;
  const text = `${name}=${shown(value)}`;
  if (name.startsWith("BASH_FUNC_")) judging.refuse("variable.loader", value, text);
  if (name === "PATH" && !isHarmlessPath(value, judging.rules.pathTails)) judging.refuse("variable.path", value, text);
  if (
    name === "NODE_OPTIONS" &&
    !/^(\s*--(max-old-space-size|stack-size|no-warnings|enable-source-maps|trace-\S+|experimental-(strip-types|vm-modules|test-coverage)|unhandled-rejections)(=[\w-]+)?)*\s*$/.test(
      literal(value) ?? "?",
    )
  ) {
    judging.refuse("variable.loader", value, text);
  }
  if (/^(CC|CXX|CPP|LD|AR|AS)$/.test(name) && /\b(sh|bash|dash|zsh|perl|rm|eval)\b|[;&|`<>]/.test(shown(value)))
    judging.refuse("variable.program", value, text);
  for (const [rule, names] of Object.entries(variables)) {
    // Package managers read their variables in any case.
    const isInstall = rule.startsWith("install.");
    if (!names.some((known) => known === name || (isInstall && known.toLowerCase() === name.toLowerCase()))) continue;
    if (rule === "install.scripts" && HARMLESS_FOR_SCRIPTS.has(`${name.toLowerCase()}=${literal(value)}`)) continue;
    if (rule === "variable.program" && harmlessPrograms.includes(literal(value) ?? "?")) continue;
    if (name === "SHELL" && /^\/bin\/(ba)?sh$/.test(literal(value) ?? "")) continue;
    if (name === "GOPROXY" && literal(value) === "off") continue;
    judging.refuse(rule, value, text);
  }
}

/** What stands before `$PATH` comes first; what stands behind it shadows nothing. */
function isHarmlessPath(value: Field, tails: string[]): boolean {
  let text = "";
  for (const piece of value.pieces) {
    if (isPath(piece)) return textIsHarmless(text, tails);
    text += piece.kind === "text" ? piece.text : "?";
  }
  return textIsHarmless(text, tails);
}

const isPath = (piece: Piece): boolean =>
  (piece.kind === "outer" || piece.kind === "computed") && piece.text === "$PATH";

const textIsHarmless = (text: string, tails: string[]): boolean =>
  text
    .split(":")
    .filter((directory) => directory !== "")
    .every(
      (directory) =>
        tails.some((tail) =>
          tail.startsWith("/") ? directory === tail : directory === tail || directory.endsWith(`/${tail}`),
        ) && !directory.startsWith("/tmp"),
    );

/** Assignments before a command are judged and taken away. */
export function withoutAssignments(words: Field[], judging: Judging, everywhere = false): Field[] {
  const others: Field[] = [];
  for (const field of words) {
    const match = /^([A-Za-z_]\w*)\+?=/.exec(leading(field));
    if (match && (everywhere || others.length === 0))
      judgeVariable(match[1] ?? "", after(field, match[0].length), judging);
    else others.push(field);
  }
  return others;
}
