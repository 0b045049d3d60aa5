import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../workspace/scratch-directory.ts";
import { unavailable } from "../explain.ts";
import type { Identity } from "../identity.ts";
import type { Mount } from "../sandbox.ts";
import type { EngineApi } from "./engine-api.ts";

const TOP = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** The host's read-only system, as bubblewrap shows it, for an image without a system. */
export function hostSystem(): Mount[] {
  const directories = TOP.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
  const etc = ["/etc/alternatives", "/etc/ld.so.cache"].filter((path) => existsSync(path));
  return ["/usr", ...directories, ...etc].map((path) => ({ from: path, to: path }));
}

/**
 * An image that holds only mount points for the host's system. So code runs with the person's own interpreters, and no
 * registry is needed. It is made once per engine, and its name identifies its content.
 */
export async function blankImage(api: EngineApi, identity: Identity | null): Promise<string> {
  const links = TOP.flatMap((path) => {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLink ? [{ path, to: readlinkSync(path) }] : [];
  });
  const { uid, gid } = identity ?? { uid: 0, gid: 0 };
  const files = {
    "/etc/passwd": `sandbox:x:${uid}:${gid}::/tmp:/bin/bash\n`,
    "/etc/group": `sandbox:x:${gid}:\n`,
    "/etc/ld.so.cache": "",
  };
  const directories = ["/etc/alternatives", "/usr", "/tmp", "/proc", "/dev", "/sys", "/workspace"];
  for (const path of TOP) if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) directories.push(path);
  const content = JSON.stringify({ version: 2, links, files, directories });
  const name = `localhost/miracle-blank:${createHash("sha256").update(content).digest("hex").slice(0, 16)}`;
  if ((await api.send("GET", `/images/${name}/json`)).status === 200) return name;
  await api.demand(
    "POST",
    `/images/create?fromSrc=-&repo=${encodeURIComponent(name)}`,
    pack(directories, links, files),
  );
  return name;
}

function pack(directories: string[], links: { path: string; to: string }[], files: Record<string, string>): Buffer {
  const root = makeScratch("image");
  try {
    for (const path of directories) mkdirSync(join(root, path), { recursive: true });
    // An engine gives a memory mount the mode of the directory below it.
    chmodSync(join(root, "tmp"), 0o1777);
    chmodSync(root, 0o755);
    for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
    for (const { path, to } of links) symlinkSync(to, join(root, path));
    const tar = spawnSync("tar", ["-c", "--owner=0", "--group=0", "-C", root, "."], { env: { PATH: "/usr/bin:/bin" } });
    if (tar.status !== 0) throw unavailable(`tar could not pack the image: ${tar.stderr?.toString().trim()}`);
    return tar.stdout;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
