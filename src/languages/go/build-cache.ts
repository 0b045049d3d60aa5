import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { list } from "../fingerprint.ts";
import type { GoEnvironment } from "./find-go.ts";

/** The path inside the sandbox of Go's own packages, already compiled. */
export const SEED = "/opt/go-seed";

/**
 * A shell line that starts the build cache of a run with Go's own packages. The cache is new in every run, because code
 * under test could leave anything there. It is marked as just cleaned up, otherwise Go would delete old entries.
 */
export const SOW = `[ -d "$MIRACLE_GO_SEED" ] && [ ! -e "$GOCACHE" ] && cp -as "$MIRACLE_GO_SEED" "$GOCACHE" && rm -f "$GOCACHE/trim.txt" && date +%s > "$GOCACHE/trim.txt"`;

/** The packages that tests use. With their dependencies they are most of what anybody imports. */
const PACKAGES = [
  ...["testing", "testing/quick", "testing/iotest", "testing/fstest", "testing/internal/testdeps", "runtime/coverage"],
  ...["net/http/httptest", "encoding/json", "encoding/csv", "text/template", "database/sql", "log/slog", "os/exec"],
  ...["slices", "maps", "math/rand", "math/big", "regexp", "container/heap", "crypto/sha256", "bufio", "embed"],
];

const LONGEST_MS = 600_000;

/**
 * Go 1.20 and newer come without compiled packages, and compiling them takes longer than most tests. So it is done
 * once, outside of the sandbox, from Go's own sources alone. Null if it is not needed or not possible.
 */
export async function compiledPackages(
  root: string,
  version: string,
  environment: GoEnvironment,
): Promise<string | null> {
  const comesCompiled = list(join(root, "pkg")).some((name) => existsSync(join(root, "pkg", name, "fmt.a")));
  const home = environment.XDG_CACHE_HOME ?? (environment.HOME === undefined ? null : join(environment.HOME, ".cache"));
  if (comesCompiled || home === null) return null;
  const place = join(home, "miracle", `go-build-${version}`);
  return existsSync(place) || (await compile(root, place, environment.PATH ?? "")) ? place : null;
}

/** All or nothing, because another process may do the same. */
async function compile(root: string, place: string, path: string, options: string[] = []): Promise<boolean> {
  const packages = PACKAGES.filter((name) => existsSync(join(root, "src", name)));
  let made: string | undefined;
  try {
    mkdirSync(join(place, ".."), { recursive: true });
    made = mkdtempSync(`${place}-`);
    const env = { PATH: path, HOME: made, GOROOT: root, GOCACHE: made, GOPROXY: "off", GOTOOLCHAIN: "local" };
    const program = join(root, "bin/go");
    await promisify(execFile)(program, ["build", ...options, ...packages], { cwd: made, env, timeout: LONGEST_MS });
    // The user of sandboxed code may read it.
    chmodSync(made, 0o755);
    renameSync(made, place);
    return true;
  } catch {
    // Another process was first, or there is no room. Then every run compiles what it needs.
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    return existsSync(place);
  }
}
