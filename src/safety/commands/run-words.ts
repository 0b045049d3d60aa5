import { posix } from "node:path";
import { judgeEvaluated, judgeEvaluatingCall } from "./evaluated-text.ts";
import { handlers } from "./handlers/handlers.ts";
import { judgeWrittenFile } from "./handlers/written-file.ts";
import { listedRules } from "./judging/call-patterns.ts";
import { type Call, DEEPEST, type Judging, type Setting } from "./judging/judging.ts";
import { isSecret } from "./judging/place.ts";
import { judgeKnown } from "./judging/writes.ts";
import { after, type Field, leading, literal, shown, textField } from "./shell/field.ts";
import { walkNode } from "./walk.ts";

/** Judges one program with its arguments. Wrappers (env, xargs, sh -c) come back here with what they run. */
export function runWords(words: Field[], setting: Setting, judging: Judging): void {
  // Words are looked at again on every level of wrappers.
  judging.step(1 + words.length);
  const [name, ...others] = words;
  if (name === undefined) return;
  const text = literal(name);
  if (text === undefined) {
    judging.refuse("name.unresolved", name);
    return;
  }
  if (setting.depth >= DEEPEST) {
    judging.refuse("line.too-complex", name);
    return;
  }
  const inner = { ...setting, depth: setting.depth + 1 };
  if (callFunction(text, others, inner, judging)) return;
  const alias = setting.around.scope.aliases.get(text);
  if (alias !== undefined && !setting.calling.includes(text)) {
    const line = [alias, ...others.map(quoted)].join(" ");
    judging.script(textField(line, name.from, name.to), { ...inner, calling: [...setting.calling, text] }, true);
  }
  const base = canonical(posix.basename(text));
  if (/^ld(-linux\S*|-musl\S*)?\.so(\.\d+)*$/.test(base)) judging.refuse("name.loader", name);
  const range = { from: name.from, to: words.at(-1)?.to ?? name.to };
  const whole = { ...textField(words.map(shown).join(" "), name.from, name.to), to: Math.max(range.to, name.to) };
  for (const rule of listedRules(judging.rules, base, others)) judging.refuse(rule, whole);
  for (const field of others)
    if ([field, ...valueIn(field)].some((value) => isSecret(value, setting.around.directories, judging.rules)))
      judging.refuse("secret.read", field);
  judgeEvaluatingCall(base, others, setting, judging);
  if (text.includes("/")) judgeWrittenFile(name, inner, judging);
  const call: Call = { ...inner, name, base, words: others };
  if (Object.hasOwn(handlers, base)) handlers[base]?.(call, judging);
  else for (const file of outputsIn(others)) judgeKnown(file, call, judging);
}

/** The path in `if=path`, `--file=path`, `@path`. */
function valueIn(field: Field): Field[] {
  const name = /^(?:[\w-]*=)?@?/.exec(leading(field))?.[0] ?? "";
  return name === "" ? [] : [after(field, name.length)];
}

/** Programs that nobody knows mostly name their output in the same way. */
function outputsIn(words: Field[]): Field[] {
  return words.flatMap((field, index) => {
    const match = /^--?(?:o|out|output|out-?file|output-?file|out-?dir|output-?dir|dest|log-?file)(=|$)/.exec(
      leading(field),
    );
    if (!match) return [];
    return match[1] === "=" ? [after(field, match[0].length)] : words.slice(index + 1, index + 2);
  });
}

/** The body of a function of the line, with its arguments in place. */
function callFunction(name: string, args: Field[], setting: Setting, judging: Judging): boolean {
  const { scope } = setting.around;
  const definition = scope.functions.get(name);
  if (definition === undefined) return false;
  scope.called.add(name);
  for (const field of args) judgeEvaluated(field, judging);
  // A recursion that does no harm by itself; the one that does is found where it is defined.
  if (setting.calling.includes(name)) return true;
  const around = { ...setting.around, scope: { ...scope, positional: args, positionalMoves: scope.positionalMoves } };
  walkNode(definition.body, { ...setting, around, calling: [...setting.calling, name] }, judging);
  return true;
}

/** Versions in a name change nothing: `python3.12`, `pip3`, `mkfs.ext4`, `gawk`. */
function canonical(base: string): string {
  if (/^(python|pip|pypy|ruby|perl|php|lua|node|gcc|clang|vim)[\d.]*$/.test(base)) return base.replace(/[\d.]+$/, "");
  if (base.startsWith("mkfs.")) return "mkfs";
  if (base.startsWith("fsck.")) return "fsck";
  return (
    {
      gawk: "awk",
      mawk: "awk",
      nawk: "awk",
      gsed: "sed",
      gtimeout: "timeout",
      gmake: "make",
      gfind: "find",
      gxargs: "xargs",
      nodejs: "node",
      pypy: "python",
      vi: "vim",
      nvim: "vim",
      view: "vim",
    }[base] ?? base
  );
}

const quoted = (field: Field): string => {
  const text = literal(field);
  return text === undefined ? '"$argument"' : `'${text.replaceAll("'", "'\\''")}'`;
};
