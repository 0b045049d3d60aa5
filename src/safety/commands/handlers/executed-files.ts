import { type Field, literal, textField } from "../shell/field.ts";

/** `exec(open("setup/env.py").read())`: a source file of the project, run as `python3 setup/env.py` would run it. */
const RUNS_FILE =
  /(?<![\w.])exec\s*\(\s*open\s*\(\s*(["'])((?:[\w-]+\/)*[\w-]+\.py)\1\s*(?:,\s*encoding\s*=\s*(["'])[\w-]+\3\s*)?\)\s*\.\s*read\s*\(\s*\)\s*\)/g;

/** Whatever may put something else into that file first, or means something else by these names. */
const MAY_WRITE =
  /exec|eval|compile|open|write|copy|rename|replace|move|link|retrieve|shutil|tempfile|mkstemp|dump|save|extract|fileno|\bto_\w+|sys\.modules|__\w+__/i;

/**
 * Code on the command line that runs source files of the project, apart from these files: they are judged as files that
 * are run, and the code without them as code. Where the rest could write such a file, or anything is not known, the code
 * stays as it is.
 */
export function withoutExecutedFiles(code: Field): { code: Field; files: Field[] } {
  const text = literal(code) ?? "";
  const files = [...text.matchAll(RUNS_FILE)].map(([, , path = ""]) => textField(path, code.from, code.to));
  const rest = text.replaceAll(RUNS_FILE, "None");
  if (files.length === 0 || MAY_WRITE.test(rest)) return { code, files: [] };
  return { code: textField(rest, code.from, code.to), files };
}
