import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/config/package-root.ts";

/**
 * Most of a start is compiling, and every test has a home of its own, where nothing is kept from a run before: all of
 * them share what any of them keeps. (Another user's process does not trust it; the keeping itself is tested apart.)
 */
export function shareKeptCode(home: string): void {
  const cache = join(home, ".cache");
  if (existsSync(cache)) return;
  const shared = join(packageRoot(), "node_modules/.cache/miracle-tests");
  mkdirSync(shared, { recursive: true, mode: 0o700 });
  mkdirSync(cache);
  symlinkSync(shared, join(cache, "miracle"));
}
