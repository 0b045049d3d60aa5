import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { packageRoot } from "../src/config/package-root.ts";
import { removeTree } from "../src/workspace/remove-tree.ts";
import { giveToOrdinaryUser, ordinaryUser } from "./ordinary-user.ts";
import { quickPlace } from "./temporary.ts";

const NODE = `node-${process.platform}-${process.arch}`;
const TAR = ["--owner=0", "--group=0", "--transform", "s,^\\.,package,"];

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The package as a person installs it, into a prefix of their own, as an ordinary user without the rights of the tests. */
export class InstalledPackage implements AsyncDisposable {
  readonly place: string;
  readonly #tarball: string;
  readonly #registry: Server;

  private constructor(place: string, tarball: string, registry: Server) {
    this.place = place;
    this.#tarball = tarball;
    this.#registry = registry;
  }

  /** Packs what was built, and opens a registry on this machine that has what the package needs. */
  static async pack(): Promise<InstalledPackage> {
    const place = mkdtempSync(join(quickPlace(), "miracle-package-"));
    chmodSync(place, 0o755);
    for (const name of ["home", "prefix", "work"]) mkdirSync(join(place, name));
    execFileSync("npm", ["pack", packageRoot(), "--ignore-scripts", "--pack-destination", place], { stdio: "pipe" });
    const { version } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
    const registry = await serveNode(join(place, "node.tar"));
    giveToOrdinaryUser(place);
    return new InstalledPackage(place, join(place, `miracle-${version}.tgz`), registry);
  }

  get prefix(): string {
    return join(this.place, "prefix");
  }

  get root(): string {
    return join(this.prefix, "lib/node_modules/miracle");
  }

  get manual(): string {
    return join(this.prefix, "share/man/man1/miracle.1");
  }

  /** Where the Node that came with the package is. */
  get nodeDirectory(): string {
    return join(this.root, "node_modules", NODE, "bin");
  }

  npm(command: "install" | "uninstall"): Promise<Ended> {
    const what = command === "install" ? this.#tarball : "miracle";
    return this.run("npm", [command, "--global", "--prefix", this.prefix, "--no-audit", "--no-fund", what]);
  }

  /** Runs a program in a directory of the person's, with one Node first on the PATH. */
  run(program: string, args: string[], { cwd = join(this.place, "work"), node = "" } = {}): Promise<Ended> {
    const { uid } = ordinaryUser;
    const address = this.#registry.address();
    const registry = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    const path = [node, join(this.prefix, "bin"), "/usr/bin", "/bin"].filter((directory) => directory !== "");
    const child = spawn(program, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: { HOME: join(this.place, "home"), PATH: path.join(":"), npm_config_registry: registry },
      ...(uid !== undefined && { uid, gid: uid }),
    });
    return new Promise((resolve, reject) => {
      const ended: Ended = { status: null, stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const) {
        child[name].setEncoding("utf8").on("data", (text: string) => {
          ended[name] += text;
        });
      }
      child.on("error", reject);
      child.on("close", (status) => resolve({ ...ended, status }));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#registry.closeAllConnections();
    this.#registry.close();
    removeTree(this.place);
  }
}

/** The one package that ours depends on, from what the tests themselves run on. */
async function serveNode(file: string): Promise<Server> {
  const directory = join(packageRoot(), "node_modules", NODE);
  execFileSync("tar", ["-cf", file, "-C", directory, ...TAR, "./package.json", "./bin/node"]);
  const body = readFileSync(file);
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const integrity = `sha512-${createHash("sha512").update(body).digest("base64")}`;
  const server = createServer((request, answer) => {
    const here = `http://${request.headers.host}`;
    const dist = { tarball: `${here}/${NODE}.tgz`, integrity };
    const versions = { [manifest.version]: { ...manifest, dist } };
    if (request.url === `/${NODE}.tgz`) answer.end(body);
    else if (request.url === `/${NODE}`) answer.end(JSON.stringify({ name: NODE, "dist-tags": {}, versions }));
    else answer.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
