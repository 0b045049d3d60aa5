import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Ended {
  /** Null: it took longer than it may. */
  exit: number | null;
  stdout: string;
  stderr: string;
  seconds: number;
}

/** The product under measure, in the state of some clone. */
export class Miracle {
  readonly clone: string;
  readonly #node: string;
  readonly #program: string;

  /** Sources before a build: what was built may be older than what is read. */
  constructor(clone: string, built: boolean) {
    this.clone = clone;
    const own = join(clone, "node_modules", "node", "bin", "node");
    this.#node = existsSync(own) ? own : process.execPath;
    const source = join(clone, "src", "cli", "main.ts");
    this.#program = !built && existsSync(source) ? source : join(clone, "bin", "miracle.js");
  }

  /** Runs `miracle …` with a home of its own; nothing of the caller's settings reaches it. */
  run(args: string[], { home, minutes }: { home: string; minutes: number }): Promise<Ended> {
    const { PATH = "", HOME = "", LANG = "C.UTF-8", TMPDIR } = process.env;
    const env = { PATH, HOME, LANG, MIRACLE_HOME: home, ...(TMPDIR && { TMPDIR }) };
    return runProgram([this.#node, "--disable-warning=ExperimentalWarning", this.#program, ...args], {
      cwd: home,
      env,
      minutes,
    });
  }

  /** A folder with `bin/miracle.js` and `node_modules`, for programs that start it themselves. */
  asClone(directory: string): string {
    mkdirSync(join(directory, "bin"), { recursive: true });
    writeFileSync(join(directory, "package.json"), '{ "type": "module" }\n');
    writeFileSync(join(directory, "bin", "miracle.js"), `import ${JSON.stringify(this.#program)};\n`);
    symlinkSync(join(this.clone, "node_modules"), join(directory, "node_modules"));
    return directory;
  }

  /** The state that is measured; `-dirty` where files differ from it. */
  get commit(): string {
    const { status, stdout } = spawnSync("git", ["-C", this.clone, "describe", "--always", "--dirty", "--abbrev=10"], {
      encoding: "utf8",
    });
    return status === 0 ? stdout.trim() : "unknown";
  }
}

interface Place {
  cwd: string;
  env: Record<string, string>;
  minutes: number;
}

const MOST_TEXT = 20_000_000;

export function runProgram(argv: string[], { cwd, env, minutes }: Place): Promise<Ended> {
  const [program = "", ...args] = argv;
  const began = performance.now();
  // A group of its own, so that a limit ends what it started, too.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8");
    child[name].on("data", (text: string) => {
      if (texts[name].length < MOST_TEXT) texts[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, minutes * 60_000);
    child.on("error", (error) => {
      clearTimeout(limit);
      reject(error);
    });
    child.on("close", (code) => {
      clearTimeout(limit);
      resolve({ exit: late ? null : code, ...texts, seconds: (performance.now() - began) / 1000 });
    });
  });
}
