import type { Call, Judging } from "../judging/judging.ts";
import { type Field, leading, literal } from "../shell/field.ts";
import { installPackages } from "./install-packages.ts";
import { runPackage } from "./run-package.ts";

/** Subcommands of npm that run, make or set something; true when it was one of them. */
export function specialNpm(
  first: string | undefined,
  operands: Field[],
  words: Field[],
  call: Call,
  judging: Judging,
): boolean {
  if (first === "exec" || first === "x") {
    runPackage("javascript", "npm exec", words.slice(1), call, judging);
    return true;
  }
  if (first === "init" || first === "create" || first === "innit") {
    const [template] = operands.slice(1);
    const name = literal(template);
    if (template)
      installPackages(
        "npm",
        "javascript",
        [
          {
            ...template,
            pieces: [{ kind: "text", text: name?.startsWith("@") ? `${name}/create` : `create-${name ?? ""}` }],
          },
        ],
        judging,
      );
    return true;
  }
  if (first === "config" || first === "set" || first === "c") {
    const text = words.map((field) => leading(field)).join(" ");
    if (/script-shell|node-options|\bshell\b/.test(text) && !/\b(get|list|ls)\b/.test(text))
      judging.refuse("run.program", words[1] ?? call.name);
    if (/registry|ignore-scripts|globalconfig|userconfig/.test(text) && !/\b(get|list|ls)\b/.test(text))
      judging.refuse("install.registry", words[1] ?? call.name);
    return true;
  }
  return false;
}
