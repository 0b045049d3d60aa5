import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { NetworkedSandbox } from "../src/sandbox/network/networked-sandbox.ts";
import { networkParts } from "../src/sandbox/network/run-with-network.ts";
import { openBubblewrap } from "../src/sandbox/open-sandbox.ts";

/** A package that a test makes: its files are texts by their paths. */
export interface MadePackage {
  language: "python" | "javascript" | "go";
  name: string;
  version: string;
  /** Of a module of Go's with its `go.mod`. */
  files: Record<string, string>;
  /** Requirements of a wheel; names and ranges of a package of npm's. */
  requires?: string[];
  dependencies?: Record<string, string>;
  scripts?: Record<string, string>;
  licence?: string;
  /** When it was released, as an index writes it. */
  released?: string;
  /** A source of Python's instead of a wheel: its setup.py would have to run. */
  source?: boolean;
}

/** Writes a wheel or a tarball for each package that is read from standard input. */
const MAKE = `
import io, json, sys, tarfile, zipfile
for one in json.load(sys.stdin):
    out, name, version, files = one["out"], one["name"], one["version"], one["files"]
    if one.get("source"):
        with tarfile.open(out, "w:gz") as t:
            for path, text in {"PKG-INFO": f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n", **files}.items():
                entry = tarfile.TarInfo(f"{name}-{version}/{path}"); data = text.encode(); entry.size = len(data)
                t.addfile(entry, io.BytesIO(data))
    elif one["language"] == "python":
        info = f"{name.replace('-', '_')}-{version}.dist-info"
        licence = f"License: {one['licence']}\\n" if one.get("licence") else ""
        requires = "".join(f"Requires-Dist: {line}\\n" for line in one.get("requires", []))
        files = {**files, f"{info}/METADATA": f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n{licence}{requires}",
                 f"{info}/WHEEL": "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"}
        files[f"{info}/RECORD"] = "".join(f"{path},,\\n" for path in [*files, f"{info}/RECORD"])
        with zipfile.ZipFile(out, "w") as z:
            for path, text in files.items(): z.writestr(path, text)
    elif one["language"] == "go":
        with zipfile.ZipFile(out, "w") as z:
            for path, text in files.items(): z.writestr(f"{name}@{version}/{path}", text)
    else:
        manifest = {"name": name, "version": version, "scripts": one.get("scripts", {}),
                    "dependencies": one.get("dependencies", {})}
        with tarfile.open(out, "w:gz") as t:
            for path, text in {"package.json": json.dumps(manifest), **files}.items():
                entry = tarfile.TarInfo(f"package/{path}"); data = text.encode(); entry.size = len(data)
                t.addfile(entry, io.BytesIO(data))
`;

/** A tarball of npm's registry itself. */
export interface RealPackage {
  name: string;
  version: string;
  body: Buffer;
}

const asArchive = ({ name, version, body }: RealPackage): Archive => ({
  language: "javascript",
  name,
  version,
  files: {},
  file: `${basename(name)}-${version}.tgz`,
  body,
});

interface Archive extends MadePackage {
  file: string;
  body: Buffer;
}

/** An index of Python's and a registry of npm's on loopback, with packages that the test made itself. */
export class PackageIndex implements AsyncDisposable {
  readonly #server: Server;
  readonly #asked: string[];
  readonly port: number;
  readonly archives: readonly Archive[];
  #held: { path: RegExp; resolve(): void } | null = null;

  private constructor(server: Server, port: number, asked: string[], archives: Archive[]) {
    this.#server = server;
    this.port = port;
    this.#asked = asked;
    this.archives = archives;
  }

  /** `real`: tarballs of npm's that nobody can make, with the hash that they have. */
  static listen(packages: MadePackage[], real: RealPackage[] = []): Promise<PackageIndex> {
    return PackageIndex.#listen(packages, real, null);
  }

  /** A person's own, below this path: it names itself by its address, and wants to be told this if it is not null. */
  static listenAt(
    path: string,
    authorization: string | null,
    packages: MadePackage[],
    port = 0,
  ): Promise<PackageIndex> {
    return PackageIndex.#listen(packages, [], { path, authorization }, port);
  }

  static async #listen(
    packages: MadePackage[],
    real: RealPackage[],
    own: { path: string; authorization: string | null } | null,
    at = 0,
  ): Promise<PackageIndex> {
    const archives = [...makeArchives(packages), ...real.map(asArchive)];
    const asked: string[] = [];
    let port = 0;
    let index: PackageIndex | undefined;
    const server = createServer((request, answer) => {
      const path = decodeURIComponent(request.url ?? "");
      asked.push(path);
      const held = index ? index.#held : null;
      if (held?.path.test(path)) return held.resolve();
      if (own?.authorization && request.headers.authorization !== own.authorization)
        return answer.writeHead(401, { "www-authenticate": "Basic" }).end();
      const place = own ? `http://127.0.0.1:${port}${own.path}` : null;
      const asks = own ? path.replace(own.path, "") : path;
      const page = pageOf(archives, port, asks, request.headers.accept ?? "", place);
      if (page === null) answer.writeHead(404).end();
      else answer.writeHead(200, { "content-type": page.type }).end(page.body);
    });
    await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
    index = new PackageIndex(server, port, asked, archives);
    return index;
  }

  get registries(): ReturnType<typeof registriesOn> {
    return registriesOn(this.port);
  }

  /** As a lockfile of npm's names it. */
  integrity(name: string, version: string): string {
    const found = this.archives.find((one) => one.name === name && one.version === version);
    return integrityOf(found?.body ?? Buffer.alloc(0));
  }

  sha256(name: string, version: string): string {
    const found = this.archives.find((one) => one.name === name && one.version === version);
    return createHash("sha256")
      .update(found?.body ?? "")
      .digest("hex");
  }

  /** Lines of go.sum for a module. */
  goSum(name: string, version: string): string {
    const files = this.archives.find((one) => one.name === name && one.version === version)?.files ?? {};
    const whole = Object.entries(files).map(([path, text]): [string, string] => [`${name}@${version}/${path}`, text]);
    const manifest = goHash([["go.mod", files["go.mod"] ?? ""]]);
    return `${name} ${version} ${goHash(whole)}\n${name} ${version}/go.mod ${manifest}\n`;
  }

  /** Waits until somebody asks for this, and gives no answer to it from now on until the next call. */
  holdBack(path: RegExp): Promise<void> {
    return new Promise((resolve) => {
      this.#held = { path, resolve };
    });
  }

  answerAll(): void {
    this.#held = null;
  }

  /** What was asked for since the last call. */
  takeAsked(): string[] {
    return this.#asked.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** The registries of an index that listens on this port. */
export const registriesOn = (port: number): Record<MadePackage["language"], string[]> => ({
  python: [`index.test:${port}`, `files.test:${port}`],
  javascript: [`packages.test:${port}`],
  go: [`modules.test:${port}`],
});

/** A sandbox that finds every registry on this machine. `directory` keeps what was fetched. */
export function indexSandbox(directory: string): NetworkedSandbox {
  const own = { pip: join(directory, "pip"), npm: join(directory, "npm"), go: join(directory, "go") };
  const parts = {
    ...networkParts(),
    resolve: async () => ["127.0.0.1"],
    isPublic: () => true,
    secure: async (socket: Socket) => socket,
  };
  return new NetworkedSandbox(openBubblewrap(), { directory: join(directory, "packages"), own }, parts);
}

/** The owner of what sandboxed code writes. */
export const sandboxOwner = droppedIdentity();

function makeArchives(packages: MadePackage[]): Archive[] {
  const directory = mkdtempSync(join(tmpdir(), "miracle-index-"));
  try {
    const orders = packages.map((one) => {
      const plain = one.name.replaceAll(/[-/]/g, "_");
      const file = {
        python: one.source ? `${plain}-${one.version}.tar.gz` : `${plain}-${one.version}-py3-none-any.whl`,
        javascript: `${one.name}-${one.version}.tgz`,
        go: `${plain}-${one.version}.zip`,
      }[one.language];
      return { ...one, file, out: join(directory, file) };
    });
    execFileSync("python3", ["-c", MAKE], { input: JSON.stringify(orders) });
    return orders.map(({ out, ...one }) => ({ ...one, body: readFileSync(out) }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** As Go hashes a module: the hashes of its files, in order. */
function goHash(files: [string, string][]): string {
  const lines = files
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, text]) => `${createHash("sha256").update(text).digest("hex")}  ${path}\n`);
  return `h1:${createHash("sha256").update(lines.join("")).digest("base64")}`;
}

const integrityOf = (body: Buffer): string => `sha512-${createHash("sha512").update(body).digest("base64")}`;

function pageOf(
  archives: readonly Archive[],
  port: number,
  path: string,
  accept: string,
  place: string | null,
): { type: string; body: string | Buffer } | null {
  const module = /^\/(.+)\/@v\/(list|(v.+)\.(info|mod|zip))$/.exec(path);
  if (module) return modulePage(archives, module);
  const files = `${place ?? `https://files.test:${port}`}/packages`;
  const file = archives.find((one) => path.endsWith(`/${one.file}`));
  if (file) return { type: "application/octet-stream", body: file.body };
  const simple = /^\/simple\/([^/]+)\/$/.exec(path)?.[1];
  const named = (language: string, name: string) =>
    archives.filter((one) => one.language === language && one.name === name);
  if (simple !== undefined && accept.includes("simple.v1+json") && named("python", simple).some(isDated))
    return simpleJson(named("python", simple), files);
  if (simple !== undefined) {
    const links = named("python", simple).map(({ file, body }) => {
      const sum = createHash("sha256").update(body).digest("hex");
      return `<a href="${files}/${file}#sha256=${sum}">${file}</a>`;
    });
    return links.length > 0 ? { type: "text/html", body: links.join("\n") } : null;
  }
  const versions = named("javascript", path.slice(1));
  const last = versions.at(-1);
  if (!last) return null;
  const described = versions.map(({ name, version, dependencies = {}, scripts, licence, file, body }) => [
    version,
    {
      name,
      version,
      dependencies,
      ...(licence && { license: licence }),
      ...(scripts && { hasInstallScript: true, scripts }),
      dist: { tarball: `${place ?? `http://packages.test:${port}`}/${name}/-/${file}`, integrity: integrityOf(body) },
    },
  ]);
  const time = Object.fromEntries(versions.flatMap((one) => (isDated(one) ? [[one.version, one.released]] : [])));
  const body = {
    name: last.name,
    "dist-tags": { latest: last.version },
    versions: Object.fromEntries(described),
    ...(versions.some(isDated) && { time }),
  };
  return { type: "application/json", body: JSON.stringify(body) };
}

const isDated = ({ released }: Archive): boolean => released !== undefined;

/** The newer form of a page of Python's, which also says when something was released. */
function simpleJson(archives: readonly Archive[], place: string) {
  const files = archives.map(({ file, body, released }) => ({
    filename: file,
    url: `${place}/${file}`,
    hashes: { sha256: createHash("sha256").update(body).digest("hex") },
    ...(released !== undefined && { "upload-time": released }),
  }));
  const name = archives[0]?.name ?? "";
  const body = JSON.stringify({ meta: { "api-version": "1.1" }, name, files });
  return { type: "application/vnd.pypi.simple.v1+json", body };
}

/** The protocol of Go's proxies. */
function modulePage(archives: readonly Archive[], [, name, page, version, kind]: RegExpExecArray) {
  const all = archives.filter((one) => one.language === "go" && one.name === name);
  const found = all.find((one) => one.version === version);
  if (page === "list") return { type: "text/plain", body: all.map((one) => `${one.version}\n`).join("") };
  if (!found) return null;
  if (kind === "zip") return { type: "application/zip", body: found.body };
  const info = JSON.stringify({ Version: version, Time: "2020-01-01T00:00:00Z" });
  return { type: "text/plain", body: kind === "info" ? info : (found.files["go.mod"] ?? "") };
}
