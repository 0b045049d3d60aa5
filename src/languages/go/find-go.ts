import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../../domain/failure.ts";
import { fingerprint, list, read } from "../fingerprint.ts";
import type { Toolchain } from "../language.ts";

export interface GoEnvironment {
  /** The `go` to use, whatever else there is. */
  MIRACLE_GO?: string | undefined;
  PATH?: string | undefined;
  HOME?: string | undefined;
  XDG_CACHE_HOME?: string | undefined;
  GOPATH?: string | undefined;
  GOMODCACHE?: string | undefined;
}

/** Where the user's downloaded modules appear inside. */
const MODULES = "/opt/go-modules";

/**
 * Found by looking at files: no process is started. Nothing is downloaded here: `built` is a directory with modules of
 * ours, which stand for the user's.
 */
export function findGo(directory: string, environment: GoEnvironment, built?: string): Toolchain {
  const found = anyGo(environment);
  if (!found) throw noGo();
  const modules = built === undefined ? moduleCache(environment) : join(built, "modules");
  const needsModules = built !== undefined || /^\s*require\b/m.test(read(join(directory, "go.mod")));
  if (!needsModules || (built === undefined && existsSync(join(directory, "vendor/modules.txt")))) return found;
  const locks = ["go.mod", "go.sum", "go.work"].map((name) => join(directory, name));
  return {
    ...found,
    mounts: [...found.mounts, ...(existsSync(modules) ? [{ from: realpathSync(modules), to: MODULES }] : [])],
    env: { ...found.env, GOMODCACHE: MODULES },
    versions: { ...found.versions, dependencies: fingerprint([], locks) },
  };
}

/** Go alone, for commands of a project in another language; null where there is none. */
export function anyGo(environment: GoEnvironment): Toolchain | null {
  const { MIRACLE_GO, PATH = "" } = environment;
  const places = MIRACLE_GO ? [MIRACLE_GO] : [...PATH.split(":").map((path) => join(path, "go")), ...usualPlaces()];
  const program = places.find((path) => path.startsWith("/") && existsSync(path));
  if (program === undefined) return null;
  const root = dirname(dirname(realpathSync(program)));
  // A launcher that downloads the real one is no Go.
  if (!existsSync(join(root, "src")) || !existsSync(join(root, "pkg"))) return null;
  const version = /^go(\S+)/.exec(read(join(root, "VERSION")))?.[1] ?? "unknown";
  return {
    mounts: root.startsWith("/usr/") ? [] : [{ from: root, to: root }],
    path: [join(root, "bin")],
    env: {
      GOROOT: root,
      GOPATH: "/tmp/go",
      GOCACHE: "/tmp/go-build",
      GOPROXY: "off",
      GOTOOLCHAIN: "local",
      // A machine with many cores starts as many compilers, and meets the limit of processes.
      GOFLAGS: "-mod=mod -p=2",
      GOMAXPROCS: "2",
    },
    versions: { go: version },
    runner: "go test",
    script: null,
  };
}

/** `/usr/local/go` as its own archive is unpacked, `/usr/lib/go-1.22` as Debian has several. */
const usualPlaces = (): string[] => [
  "/usr/local/go/bin/go",
  ...list("/usr/lib")
    .filter((name) => name.startsWith("go-"))
    .sort()
    .reverse()
    .map((name) => `/usr/lib/${name}/bin/go`),
];

export const moduleCache = ({ GOMODCACHE, GOPATH, HOME = "/" }: GoEnvironment): string =>
  GOMODCACHE ?? join(GOPATH?.split(":")[0] ?? join(HOME, "go"), "pkg/mod");

const noGo = () =>
  fail(
    "environment",
    "environment.go",
    "there is no Go: apt-get install golang-go, or name one with MIRACLE_GO=/path/to/bin/go",
  );
