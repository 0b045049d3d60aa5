import { posix } from "node:path";
import { type Field, literal, textField } from "./field.ts";
import { judgeCode, judgeSource } from "./handlers/inline-code.ts";
import type { Judging, Setting } from "./judging.ts";
import { NOWHERE } from "./place.ts";

/** A file that this very line wrote is judged by its text; the code scan has not seen it. */
export function judgeWrittenFile(file: Field, setting: Setting, judging: Judging, language?: string): void {
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

const SOURCES: Record<string, RegExp> = {
  python: /\.py$/,
  node: /\.[cm]?[jt]sx?$/,
  go: /\.go$/,
  c: /\.(c|cc|cpp|cxx|h|hpp|rs)$/,
};

/** Sources that the line wrote and a test run or a build now executes. */
export function judgeWrittenSources(languages: string[], setting: Setting, judging: Judging): void {
  for (const { path, text } of judging.written) {
    judging.step();
    if (text === undefined) continue;
    for (const language of languages)
      if (SOURCES[language]?.test(path)) judgeSource(language, textField(text, 0, 0), setting, judging);
  }
}
