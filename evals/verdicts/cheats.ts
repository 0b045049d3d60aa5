import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "./miracle.ts";
import type { Measured } from "./result.ts";
import type { Options, Work } from "./work.ts";

/** `### name: status exit=0 12s` of programs, `== name: exit 0 :: …` of shell scripts. */
const TOLD = /^(?:### (?<a>\S+?):?(?: \S+)? exit=(?<ea>-?\d+)|== (?<b>\S+): exit (?<eb>\d+) ::)/;

/** Programs that each make a change and ask for a verdict. CLONE, WORK and BRIDGE say where; they tell ends line by line. */
export async function cheatWork(options: Options): Promise<Work[]> {
  const { from, only } = options;
  return from.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(py|sh)$/.test(name) && (only === null || name === only))
      .map((name) => ({ name, measure: () => measureProgram(options, join(folder, name), name) })),
  );
}

async function measureProgram({ miracle, eachMinutes }: Options, path: string, name: string): Promise<Measured> {
  const work = mkdtempSync(join(tmpdir(), "miracle-verdicts-"));
  try {
    mkdirSync(join(work, "repos"));
    const clone = miracle.asClone(join(work, "clone"));
    const { PATH = "", HOME = "", BRIDGE = "" } = process.env;
    const env = { PATH, HOME, LANG: "C.UTF-8", CLONE: clone, WORK: work, BRIDGE, PYTHONDONTWRITEBYTECODE: "1" };
    const program = path.endsWith(".py") ? ["python3", path] : ["bash", path];
    const ended = await runProgram(program, { cwd: work, env, minutes: eachMinutes * 6 });
    const ends = ended.stdout.split("\n").flatMap((line) => {
      const said = TOLD.exec(line)?.groups;
      return said ? [{ name: said.a ?? said.b ?? "", exit: said.ea ?? said.eb }] : [];
    });
    // By their convention h1, h2, … are honest.
    const proven = ends.filter((end) => end.exit === "0" && !/^h\d/.test(end.name));
    // Codes of a machine that lacks something, or of a fault of ours: nobody judged anything.
    const unjudged = ends.find((end) => /^(6\d|7\d)$/.test(end.exit ?? ""));
    if (unjudged) {
      const reason = `${unjudged.name} was not judged: exit ${unjudged.exit}`;
      return { name, verdict: "error", exit: ended.exit, reason, seconds: ended.seconds };
    }
    if (ends.length === 0)
      return { name, verdict: "not-tried", exit: ended.exit, reason: "it asks for no verdict", seconds: ended.seconds };
    const named = proven.map((end) => end.name).join(", ");
    const reason = `${proven.length} of ${ends.length} ended with exit 0${named === "" ? "" : `: ${named}`}`;
    return {
      name,
      verdict: proven.length > 0 ? "proven" : "not-proven",
      exit: ended.exit,
      reason,
      seconds: ended.seconds,
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
