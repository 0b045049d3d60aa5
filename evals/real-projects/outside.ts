import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Toolchain } from "../../src/languages/language.ts";
import { droppedIdentity } from "../../src/sandbox/identity.ts";
import { removeTree } from "../../src/workspace/remove-tree.ts";
import { type Ended, runProgram } from "../verdicts/miracle.ts";

export interface Counts {
  passed: number;
  red: number;
  skipped: number;
}

/**
 * The suite as the project's own command runs it: no runner, report or plugin of Miracle's, no network. It has a copy of
 * the same packages, into which it may write, as on a person's machine.
 */
export async function runOutside(toolchain: Toolchain, workspace: string, minutes: number): Promise<Ended> {
  const copies = `${workspace}-packages`;
  removeTree(copies);
  mkdirSync(copies);
  const shown = toolchain.mounts.flatMap(({ from, to }, index) => {
    // Folders on the way would be closed to the suite's user.
    const above = to
      .split("/")
      .slice(1, -1)
      .map((_, depth, names) => `/${names.slice(0, depth + 1).join("/")}`);
    const open = above.flatMap((path) => ["--perms", "0755", "--dir", path]);
    if (!to.startsWith("/workspace/")) return [...open, "--ro-bind", from, to];
    const copy = join(copies, String(index));
    execFileSync("cp", ["-a", from, copy]);
    return ["--bind", copy, to];
  });
  const owner = droppedIdentity();
  if (owner) execFileSync("chown", ["-hR", `${owner.uid}:${owner.gid}`, copies]);
  const as = owner ? ["setpriv", `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"] : [];
  const system = SYSTEM.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]);
  const jail = [
    ...["bwrap", "--tmpfs", "/", ...system, "--dev", "/dev", "--proc", "/proc"],
    ...["--perms", "1777", "--tmpfs", "/tmp", "--perms", "1777", "--tmpfs", "/dev/shm"],
    ...["--perms", "0777", "--dir", "/tmp/home", "--bind", workspace, "/workspace", ...shown],
    ...["--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"],
    // Whoever starts it may see what the suite may not: it becomes the sandbox's user inside.
    ...["--chdir", "/workspace", "--", ...as, "bash", "-c", commandOf(toolchain)],
  ];
  const { PATH = "", LANG = "C.UTF-8" } = process.env;
  const env = {
    ...toolchain.env,
    PATH: [...toolchain.path, PATH].join(":"),
    LANG,
    HOME: "/tmp/home",
  };
  try {
    return await runProgram(jail, { cwd: "/", env, minutes });
  } finally {
    removeTree(copies);
  }
}

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc"];

export function commandOf({ runner, script, given, before = [] }: Toolchain): string {
  if (runner === "pytest") {
    const { options = [], places = [], env = {} } = given ?? {};
    const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
    const set = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`);
    const there = places.map((place) => `if [ -e ${quoted(place)} ]; then set -- "$@" ${quoted(place)}; fi`);
    const run = ["python3 -m pytest -q --continue-on-collection-errors", ...options.map(quoted), '"$@"'].join(" ");
    return [...set, ...there, run].join("; ");
  }
  if (runner === "go test") return "go test -v ./...";
  return [...before, script ?? "node --test"].join(" && ");
}

/** What runners say at their end; null where none of these words is there. */
export function countsIn(text: string): Counts | null {
  const plain = stripVTControlCharacters(text);
  const last = (form: RegExp): number | null => {
    const found = [...plain.matchAll(form)].at(-1)?.[1];
    return found === undefined ? null : Number(found);
  };
  for (const { passed, red, skipped } of SUMMARIES) {
    const counts = [passed, red, skipped].map((forms) => forms.map(last));
    if (counts.flat().every((number) => number === null)) continue;
    const [p = 0, r = 0, s = 0] = counts.map((numbers) => numbers.reduce<number>((sum, one) => sum + (one ?? 0), 0));
    return { passed: p, red: r, skipped: s };
  }
  const lines = (word: string) => [...plain.matchAll(new RegExp(`^\\s*--- ${word}:`, "gm"))].length;
  const go = { passed: lines("PASS"), red: lines("FAIL"), skipped: lines("SKIP") };
  return go.passed + go.red > 0 ? go : null;
}

interface Summary {
  passed: RegExp[];
  red: RegExp[];
  skipped: RegExp[];
}

const SUMMARIES: Summary[] = [
  // Vitest
  {
    passed: [/^\s+Tests\s.*?(\d+) passed/gm],
    red: [/^\s+Tests\s.*?(\d+) failed/gm],
    skipped: [/^\s+Tests\s.*?(\d+) skipped/gm, /^\s+Tests\s.*?(\d+) todo/gm],
  },
  // Jest
  {
    passed: [/^Tests:.*?(\d+) passed/gm],
    red: [/^Tests:.*?(\d+) failed/gm],
    skipped: [/^Tests:.*?(\d+) skipped/gm, /^Tests:.*?(\d+) todo/gm],
  },
  // pytest: one line, in any order
  {
    passed: [/^(?:=+ )?(?:.*, )?(\d+) passed.* in [\d.]+s/gm, /^(?:=+ )?(?:.*, )?(\d+) xpassed.* in [\d.]+s/gm],
    red: [/^(?:=+ )?(\d+) failed.* in [\d.]+s/gm, /^(?:=+ )?(?:.*, )?(\d+) errors?\b.* in [\d.]+s/gm],
    skipped: [/^(?:=+ )?(?:.*, )?(\d+) skipped.* in [\d.]+s/gm, /^(?:=+ )?(?:.*, )?(\d+) xfailed.* in [\d.]+s/gm],
  },
  // node:test, tap
  {
    passed: [/^(?:#|ℹ) pass\s+(\d+)$/gm],
    red: [/^(?:#|ℹ) fail\s+(\d+)$/gm],
    skipped: [/^(?:#|ℹ) (?:skipped|skip)\s+(\d+)$/gm, /^(?:#|ℹ) todo\s+(\d+)$/gm],
  },
  // Mocha
  { passed: [/^\s+(\d+) passing\b/gm], red: [/^\s+(\d+) failing\b/gm], skipped: [/^\s+(\d+) pending\b/gm] },
  // AVA
  {
    passed: [/^\s+(\d+) tests? passed$/gm],
    red: [/^\s+(\d+) tests? failed$/gm],
    skipped: [/^\s+(\d+) tests? skipped$/gm],
  },
];
