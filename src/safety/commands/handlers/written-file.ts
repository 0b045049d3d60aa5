import { posix } from "node:path";
import type { Judging, Setting } from "../judging/judging.ts";
import { NOWHERE } from "../judging/place.ts";
import type { InlineCode } from "../judging/verdict.ts";
import { type Field, literal, textField } from "../shell/field.ts";
import { judgeCode, judgeSource } from "./inline-code.ts";

/** A file that this very line wrote is judged by its text; the code scan has not seen it. */
export function judgeWrittenFile(file: Field, setting: Setting, judging: Judging, language?: string): void {
  judging.executes = true;
  const path = literal(file);
  if (path === undefined) return;
  const paths = setting.around.directories.map((directory) =>
    directory === NOWHERE ? path : posix.resolve(directory, path),
  );
  for (const { path: written, text } of judging.written) {
    judging.step();
    if (!paths.includes(written)) continue;
    if (text === undefined) judging.refuse("run.written", file);
    else {
      const body = textField(text, file.from, file.to);
      const interpreter = language ?? /^#!.*?(python|node|perl|ruby|php|lua)/.exec(text)?.[1];
      if (interpreter === undefined) judging.script(body, setting);
      else judgeCode(interpreter, body, setting, judging);
    }
  }
}

/** A file of the line gets another name, by `mv` or `cp`. */
export function noteMoved(operands: Field[], setting: Setting, judging: Judging): void {
  const target = operands.at(-1);
  const to = literal(target);
  if (target === undefined || to === undefined) return;
  for (const source of operands.slice(0, -1)) {
    const from = literal(source);
    if (from === undefined) continue;
    if (from === "/dev/stdin") {
      const text = setting.input.kind === "text" ? literal(setting.input.field) : undefined;
      for (const directory of setting.around.directories)
        judging.written.push({ path: posix.resolve(directory, to), text, from: target.from, to: target.to });
    }
    for (const directory of setting.around.directories) {
      const path = posix.resolve(directory, from);
      for (const { text } of judging.written.filter((file) => file.path === path)) {
        judging.step();
        for (const moved of [posix.resolve(directory, to), posix.resolve(directory, to, posix.basename(path))])
          judging.written.push({ path: moved, text, from: target.from, to: target.to });
      }
    }
  }
}

/** Sources of the line that the code scan should read, once something runs that may read them, too. */
export function writtenCode({ written, executes, rules }: Judging): InlineCode[] {
  if (!executes) return [];
  return written.flatMap(({ path, text, from, to }): InlineCode[] => {
    const language = (["python", "node", "go"] as const).find((name) => SOURCES[name]?.test(path));
    if (language === undefined || text === undefined) return [];
    return [{ language, text, path: posix.relative(rules.workspace, path), from, to }];
  });
}

const SOURCES: Record<string, RegExp> = {
  python: /\.py$/,
  node: /\.[cm]?[jt]sx?$/,
  go: /\.go$/,
  c: /\.(c|cc|cpp|cxx|h|hpp|rs)$/,
};

/** Sources that the line wrote and a test run or a build now executes. */
export function judgeWrittenSources(languages: string[], setting: Setting, judging: Judging): void {
  judging.executes = true;
  for (const { path, text } of judging.written) {
    judging.step();
    if (text === undefined) continue;
    for (const language of languages)
      if (SOURCES[language]?.test(path)) judgeSource(language, textField(text, 0, 0), setting, judging);
  }
}
