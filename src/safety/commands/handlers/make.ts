import type { Call, Handler, Judging } from "../judging/judging.ts";
import { optionOf, readArguments } from "../judging/options.ts";
import { type Field, holds, literal, shown, textField } from "../shell/field.ts";
import { recipesOf } from "./makefile.ts";
import { judgeWrittenSources } from "./written-file.ts";

/** Programs that build: what they are told to run, and what the same line wrote for them to read. */
export const makeHandlers: Record<string, Handler> = {
  make: runMake,
  cmake: runCmake,
};

function runMake(call: Call, judging: Judging): void {
  const args = readArguments(call.words, {
    short: "fCIojlW",
    long: ["file", "makefile", "directory", "include-dir", "jobs"],
  });
  const file = optionOf(args, "-f", "--file", "--makefile")?.value;
  if (file && (literal(file) === "-" || holds(file, "pipe", "computed") || /^\/(dev|proc)\//.test(shown(file))))
    judging.refuse("run.from-input", file);
  else judgeMakefile(file, args.operands, call, judging);
  for (const field of args.operands) {
    const text = shown(field);
    if (/^\.?SHELL(FLAGS)?\s*[:+?]?=|\$[({](shell|eval|file)\b/.test(text)) judging.refuse("run.program", field);
  }
}

/** A makefile that the same line wrote: the recipes that this call runs. */
function judgeMakefile(file: Field | undefined, goals: Field[], call: Call, judging: Judging): void {
  const name = literal(file);
  for (const { path, text } of judging.written) {
    judging.step();
    const isRead =
      name === undefined ? /\/(GNUm|M|m)akefile$/.test(path) : path.endsWith(`/${name.replace(/^.*\//, "")}`);
    if (!isRead) continue;
    if (text === undefined) judging.refuse("run.written", file ?? call.name);
    else {
      judging.nested(text);
      const wanted = goals.flatMap((goal) => literal(goal) ?? []);
      const recipe = recipesOf(text, wanted).join("\n");
      if (recipe !== "") judging.script(textField(recipe, call.name.from, call.name.to), call);
    }
  }
  judgeWrittenSources(["c", "go", "python", "node"], call, judging);
}

/** `cmake -E` is a shell of its own; `-P` runs a script. */
function runCmake(call: Call, judging: Judging): void {
  const [first, verb, ...others] = call.words;
  const name = literal(verb) ?? "";
  if (literal(first) === "-E" && verb) {
    if (/^(env|chdir|time)$/.test(name))
      judging.run(
        [
          textField(name === "chdir" ? "env" : name, verb.from, verb.to),
          ...(name === "chdir" ? [textField("-C", verb.from, verb.to)] : []),
          ...others,
        ],
        call,
      );
    else if (/^(rm|remove|remove_directory)$/.test(name))
      judging.run([textField("rm", verb.from, verb.to), textField("-r", verb.from, verb.to), ...others], call);
    else if (/^(copy|copy_directory|copy_if_different|rename|create_symlink|create_hardlink)$/.test(name))
      judging.run([textField("cp", verb.from, verb.to), ...others], call);
    else if (/^(touch|touch_nocreate|make_directory)$/.test(name))
      judging.run([textField("touch", verb.from, verb.to), ...others], call);
    return;
  }
  for (const { path, text } of judging.written) {
    judging.step();
    if (text === undefined || !/CMakeLists\.txt$|\.cmake$/.test(path)) continue;
    judging.nested(text);
    for (const [, keyword, words = ""] of text.matchAll(/\b(COMMAND|REMOVE|REMOVE_RECURSE)\s+([^)]*)/g)) {
      const command = (keyword === "COMMAND" ? words : `rm -rf ${words}`).replace(/\$\{\w+\}/g, "set-by-cmake");
      judging.script(textField(command, call.name.from, call.name.to), call);
    }
  }
}
