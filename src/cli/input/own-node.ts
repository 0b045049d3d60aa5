import { execFileSync } from "node:child_process";
import { majorVersion } from "../../domain/major-version.ts";

const LONGEST_MS = 2000;

/** That the tests ran on another Node than the person's own, in one line; null where that is not so, or not known. */
export function besideOwnNode(version: string | undefined, env: NodeJS.ProcessEnv): string | null {
  const ran = majorVersion(version ?? "");
  if (ran === null) return null;
  try {
    const own = execFileSync("node", ["--version"], {
      ...{ env, encoding: "utf8", timeout: LONGEST_MS },
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    const major = majorVersion(own);
    if (major === null || major === ran) return null;
    return `the tests of JavaScript ran on Node ${version}, which comes with Miracle; yours is ${own}`;
  } catch {
    return null;
  }
}
