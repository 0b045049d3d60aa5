import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { packageRoot } from "../../src/config/package-root.ts";
import { EngineApi } from "../../src/sandbox/docker/engine-api.ts";
import { installPackages } from "../install-packages.ts";

export interface TestEngine extends AsyncDisposable {
  socket: string;
  /** The name of an image with a system of its own. */
  image: string;
}

/** A real Docker engine with its own data, installed and started here; or the reason why there can be none. */
export async function startEngine(): Promise<TestEngine | string> {
  if (process.platform !== "linux") return "a Docker engine of our own needs Linux";
  if (process.getuid?.() !== 0) return "only root can start a Docker engine";
  const problem = install(["dockerd", "debootstrap"], ["docker.io", "debootstrap"]);
  if (problem !== null) return problem;
  const directory = mkdtempSync("/var/tmp/miracle-engine-");
  const socket = join(directory, "engine.sock");
  const daemon = startDaemon(directory, socket);
  const stop = async () => {
    await end(daemon.child);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await daemon.answers;
    const image = "miracle-test-system:latest";
    await importImage(socket, systemArchive(), image);
    return { socket, image, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    return `no Docker engine can be started here: ${error instanceof Error ? error.message : error}`;
  }
}

function startDaemon(directory: string, socket: string): { child: ChildProcess; answers: Promise<void> } {
  const child = spawn(
    "dockerd",
    [
      ...["--host", `unix://${socket}`, "--bridge=none", "--iptables=false", "--ip6tables=false"],
      ...["--data-root", join(directory, "data"), "--exec-root", join(directory, "exec")],
      ...["--pidfile", join(directory, "pid")],
    ],
    { stdio: ["ignore", "ignore", "pipe"], env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } },
  );
  const answers = new Promise<void>((resolve, reject) => {
    let said = "";
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`dockerd ended with ${code}: ${said.slice(-600)}`)));
    child.stderr?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000);
      if (said.includes("API listen on")) resolve();
    });
  });
  return { child, answers };
}

/** Podman's service, where podman is installed; or the reason why there can be none. */
export async function startPodman(): Promise<Omit<TestEngine, "image"> | string> {
  if (process.getuid?.() !== 0) return "only root can start podman with data of its own";
  if (!existsSync("/usr/bin/podman")) return "podman is not installed";
  const directory = mkdtempSync("/var/tmp/miracle-podman-");
  const socket = join(directory, "podman.sock");
  const own = ["--root", join(directory, "data"), "--runroot", join(directory, "run"), "--cgroup-manager=cgroupfs"];
  const child = spawn("/usr/bin/podman", [...own, "system", "service", "--time=0", `unix://${socket}`], {
    stdio: "ignore",
    // It leaves small files where it was started.
    cwd: directory,
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  });
  while (!existsSync(socket) && child.exitCode === null) await setTimeout(20);
  const stop = async () => {
    await end(child);
    spawnSync("umount", [join(directory, "data/overlay")]);
    rmSync(directory, { recursive: true, force: true });
  };
  if (existsSync(socket)) return { socket, [Symbol.asyncDispose]: stop };
  await stop();
  return "podman's service does not start here";
}

/** The root directory of a small Debian, made once and kept between runs. */
function systemArchive(): string {
  const cache = join(packageRoot(), "node_modules/.cache/miracle");
  const archive = join(cache, "test-system.tar");
  if (existsSync(archive)) return archive;
  mkdirSync(cache, { recursive: true });
  const root = mkdtempSync("/var/tmp/miracle-system-");
  try {
    const release = packageSource("CODENAME");
    const packages = "python3,python3-pytest,python3-hypothesis,gcc,libc6-dev";
    run("debootstrap", ["--variant=minbase", `--include=${packages}`, release, root, packageSource("REPO_URI")]);
    run("tar", ["-c", "-f", `${archive}.new`, "--exclude=./var/cache/apt", "--exclude=./dev/*", "-C", root, "."]);
    renameSync(`${archive}.new`, archive);
    return archive;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Where this machine gets its own packages from. */
function packageSource(field: "CODENAME" | "REPO_URI"): string {
  const said = run("apt-get", ["indextargets", "--format", `$(${field})`, "Created-By: Packages"]);
  return said.split("\n")[0] ?? "";
}

function importImage(socket: string, archive: string, image: string): Promise<void> {
  const [repository, tag] = image.split(":");
  return new Promise((resolve, reject) => {
    const sent = request({
      socketPath: socket,
      path: `/images/create?fromSrc=-&repo=${repository}&tag=${tag}`,
      method: "POST",
      headers: { host: "engine", "content-type": "application/x-tar" },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      response.resume();
      response.once("end", () =>
        new EngineApi(socket).demand("GET", `/images/${image}/json`).then(() => resolve(), reject),
      );
    });
    createReadStream(archive).once("error", reject).pipe(sent);
  });
}

/** Installs Debian's packages where the programs are missing; the answer says why that cannot be. */
function install(programs: string[], packages: string[]): string | null {
  const isThere = (program: string) =>
    ["/usr/sbin", "/usr/bin", "/sbin"].some((path) => existsSync(join(path, program)));
  if (programs.every(isThere)) return null;
  return installPackages(packages);
}

function run(program: string, args: string[]): string {
  const done = spawnSync(program, args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  });
  if (done.status !== 0) throw new Error(`${program} failed: ${(done.stderr || done.stdout).slice(-400)}`);
  return done.stdout;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
