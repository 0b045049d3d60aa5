import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { NetworkedSandbox } from "../src/sandbox/network/networked-sandbox.ts";
import { networkParts } from "../src/sandbox/network/run-with-network.ts";
import { openBubblewrap } from "../src/sandbox/open-sandbox.ts";

/** A package that a test makes: its files are texts by their paths. */
export interface MadePackage {
  language: "python" | "javascript";
  name: string;
  version: string;
  files: Record<string, string>;
  /** Requirements of a wheel; names and ranges of a package of npm's. */
  requires?: string[];
  dependencies?: Record<string, string>;
  scripts?: Record<string, string>;
}

/** Writes a wheel or a tarball for each package that is read from standard input. */
const MAKE = `
import io, json, sys, tarfile, zipfile
for one in json.load(sys.stdin):
    out, name, version, files = one["out"], one["name"], one["version"], one["files"]
    if one["language"] == "python":
        info = f"{name.replace('-', '_')}-{version}.dist-info"
        requires = "".join(f"Requires-Dist: {line}\\n" for line in one.get("requires", []))
        files = {**files, f"{info}/METADATA": f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n{requires}",
                 f"{info}/WHEEL": "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"}
        files[f"{info}/RECORD"] = "".join(f"{path},,\\n" for path in [*files, f"{info}/RECORD"])
        with zipfile.ZipFile(out, "w") as z:
            for path, text in files.items(): z.writestr(path, text)
    else:
        manifest = {"name": name, "version": version, "scripts": one.get("scripts", {}),
                    "dependencies": one.get("dependencies", {})}
        with tarfile.open(out, "w:gz") as t:
            for path, text in {"package.json": json.dumps(manifest), **files}.items():
                entry = tarfile.TarInfo(f"package/{path}"); data = text.encode(); entry.size = len(data)
                t.addfile(entry, io.BytesIO(data))
`;

interface Archive extends MadePackage {
  file: string;
  body: Buffer;
}

/** An index of Python's and a registry of npm's on loopback, with packages that the test made itself. */
export class PackageIndex implements AsyncDisposable {
  readonly #server: Server;
  readonly #asked: string[];
  readonly #port: number;
  readonly archives: readonly Archive[];

  private constructor(server: Server, port: number, asked: string[], archives: Archive[]) {
    this.#server = server;
    this.#port = port;
    this.#asked = asked;
    this.archives = archives;
  }

  static async listen(packages: MadePackage[]): Promise<PackageIndex> {
    const archives = makeArchives(packages);
    const asked: string[] = [];
    let port = 0;
    const server = createServer((request, answer) => {
      const path = decodeURIComponent(request.url ?? "");
      asked.push(path);
      const page = pageOf(archives, port, path);
      if (page === null) answer.writeHead(404).end();
      else answer.writeHead(200, { "content-type": page.type }).end(page.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
    return new PackageIndex(server, port, asked, archives);
  }

  get registries(): Record<"python" | "javascript", string[]> {
    return {
      python: [`index.test:${this.#port}`, `files.test:${this.#port}`],
      javascript: [`packages.test:${this.#port}`],
    };
  }

  /** A sandbox whose registries are this index. `directory` keeps what was fetched. */
  sandbox(directory: string): NetworkedSandbox {
    const own = { pip: join(directory, "pip"), npm: join(directory, "npm"), go: join(directory, "go") };
    const parts = {
      ...networkParts(),
      resolve: async () => ["127.0.0.1"],
      isPublic: () => true,
      secure: async (socket: Socket) => socket,
    };
    return new NetworkedSandbox(openBubblewrap(), { directory: join(directory, "packages"), own }, parts);
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

  /** What was asked for since the last call. */
  takeAsked(): string[] {
    return this.#asked.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** The owner of what sandboxed code writes. */
export const sandboxOwner = droppedIdentity();

function makeArchives(packages: MadePackage[]): Archive[] {
  const directory = mkdtempSync(join(tmpdir(), "miracle-index-"));
  try {
    const orders = packages.map((one) => {
      const plain = one.name.replaceAll("-", "_");
      const file =
        one.language === "python" ? `${plain}-${one.version}-py3-none-any.whl` : `${one.name}-${one.version}.tgz`;
      return { ...one, file, out: join(directory, file) };
    });
    execFileSync("python3", ["-c", MAKE], { input: JSON.stringify(orders) });
    return orders.map(({ out, ...one }) => ({ ...one, body: readFileSync(out) }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const integrityOf = (body: Buffer): string => `sha512-${createHash("sha512").update(body).digest("base64")}`;

function pageOf(
  archives: readonly Archive[],
  port: number,
  path: string,
): { type: string; body: string | Buffer } | null {
  const file = archives.find((one) => path.endsWith(`/${one.file}`));
  if (file) return { type: "application/octet-stream", body: file.body };
  const simple = /^\/simple\/([^/]+)\/$/.exec(path)?.[1];
  const named = (language: string, name: string) =>
    archives.filter((one) => one.language === language && one.name === name);
  if (simple !== undefined) {
    const links = named("python", simple).map(({ file, body }) => {
      const sum = createHash("sha256").update(body).digest("hex");
      return `<a href="https://files.test:${port}/packages/${file}#sha256=${sum}">${file}</a>`;
    });
    return links.length > 0 ? { type: "text/html", body: links.join("\n") } : null;
  }
  const versions = named("javascript", path.slice(1));
  const last = versions.at(-1);
  if (!last) return null;
  const described = versions.map(({ name, version, dependencies = {}, scripts, file, body }) => [
    version,
    {
      name,
      version,
      dependencies,
      ...(scripts && { hasInstallScript: true, scripts }),
      dist: { tarball: `https://packages.test:${port}/${name}/-/${file}`, integrity: integrityOf(body) },
    },
  ]);
  const body = { name: last.name, "dist-tags": { latest: last.version }, versions: Object.fromEntries(described) };
  return { type: "application/json", body: JSON.stringify(body) };
}
