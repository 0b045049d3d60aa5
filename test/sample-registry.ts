import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes archives of one small package: a wheel, a tarball of npm's and a zip of a Go module. */
const MAKE = `
import io, json, sys, tarfile, zipfile
out = sys.argv[1]
def zipped(name, files):
    with zipfile.ZipFile(f"{out}/{name}", "w") as z:
        for path, text in files.items(): z.writestr(path, text)
info = "tiny-1.0.dist-info"
zipped("tiny-1.0-py3-none-any.whl", {
    "tiny.py": "WORD = 'from the wheel'\\n",
    f"{info}/METADATA": "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n",
    f"{info}/WHEEL": "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    f"{info}/RECORD": f"tiny.py,,\\n{info}/METADATA,,\\n{info}/WHEEL,,\\n{info}/RECORD,,\\n",
})
zipped("tiny.zip", {
    "example.test/tiny@v1.0.0/go.mod": "module example.test/tiny\\n",
    "example.test/tiny@v1.0.0/tiny.go": "package tiny\\n\\nconst Word = \\"from the module\\"\\n",
})
with tarfile.open(f"{out}/tiny-1.0.0.tgz", "w:gz") as t:
    scripts = {"preinstall": "touch /tmp/script-ran"}
    for path, text in {"package/package.json": json.dumps({"name": "tiny", "version": "1.0.0", "scripts": scripts}),
                       "package/index.js": "module.exports = 'from the tarball';\\n"}.items():
        entry = tarfile.TarInfo(path); entry.size = len(text); t.addfile(entry, io.BytesIO(text.encode()))
`;

/** A registry of three languages with one package, on this machine. */
export class SampleRegistry implements AsyncDisposable {
  readonly #server: Server;
  readonly #asked: string[];
  readonly port: number;

  private constructor(server: Server, port: number, asked: string[]) {
    this.#server = server;
    this.port = port;
    this.#asked = asked;
  }

  static async listen(): Promise<SampleRegistry> {
    const directory = mkdtempSync(join(tmpdir(), "miracle-registry-"));
    execFileSync("python3", ["-c", MAKE, directory]);
    const [wheel, tarball, module] = ["tiny-1.0-py3-none-any.whl", "tiny-1.0.0.tgz", "tiny.zip"].map((name) =>
      readFileSync(join(directory, name)),
    );
    rmSync(directory, { recursive: true });
    if (!wheel || !tarball || !module) throw new Error("the sample packages were not made");
    const asked: string[] = [];
    let port = 0;
    const server = createServer((request, answer) => {
      const path = request.url ?? "";
      asked.push(`${request.method} ${path}`);
      const found = pages(port, { wheel, tarball, module })[path];
      if (request.method !== "GET" || !found) answer.writeHead(404).end();
      else answer.writeHead(200, { "content-type": found.type, etag: '"1"' }).end(found.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
    return new SampleRegistry(server, port, asked);
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

interface Archives {
  wheel: Buffer;
  tarball: Buffer;
  module: Buffer;
}

function pages(
  port: number,
  { wheel, tarball, module }: Archives,
): Record<string, { type: string; body: string | Buffer }> {
  const sum = createHash("sha256").update(wheel).digest("hex");
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const name = "tiny-1.0-py3-none-any.whl";
  const version = {
    name: "tiny",
    version: "1.0.0",
    hasInstallScript: true,
    dist: { tarball: `https://packages.test:${port}/tiny/-/tiny-1.0.0.tgz`, integrity },
  };
  const binary = "application/octet-stream";
  return {
    "/simple/tiny/": {
      type: "text/html",
      body: `<a href="https://files.test:${port}/packages/${name}#sha256=${sum}">${name}</a>`,
    },
    [`/packages/${name}`]: { type: binary, body: wheel },
    "/tiny": {
      type: "application/json",
      body: JSON.stringify({ name: "tiny", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }),
    },
    "/tiny/-/tiny-1.0.0.tgz": { type: binary, body: tarball },
    "/example.test/tiny/@v/list": { type: "text/plain", body: "v1.0.0\n" },
    "/example.test/tiny/@v/v1.0.0.info": { type: "application/json", body: '{"Version":"v1.0.0"}' },
    "/example.test/tiny/@v/v1.0.0.mod": { type: "text/plain", body: "module example.test/tiny\n" },
    "/example.test/tiny/@v/v1.0.0.zip": { type: "application/zip", body: module },
  };
}
