import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { droppedIdentity } from "./identity.ts";

export interface SocketDirectory extends AsyncDisposable {
  /** On the host: to be mounted. It is open to sandboxed code alone. */
  path: string;
}

/** Lets sandboxed code reach a server of ours: a socket in a directory of its own. Goes with the server. */
export async function openSocketDirectory(server: Server, name: string): Promise<SocketDirectory> {
  const path = mkdtempSync(join(socketRoot(), "miracle-socket-"));
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    const socket = join(path, name);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socket, resolve);
    });
    chmodSync(socket, 0o600);
    const identity = droppedIdentity();
    if (identity) for (const one of [socket, path]) chownSync(one, identity.uid, identity.gid);
  } catch (error) {
    server.close();
    remove();
    throw error;
  }
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      remove();
    },
  };
}

/** The path of a UNIX socket has at most 107 bytes. */
const socketRoot = () => (Buffer.byteLength(tmpdir()) > 70 ? "/tmp" : tmpdir());
