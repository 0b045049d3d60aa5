import { chmodSync, chownSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";
import { makeSocketScratch } from "../workspace/scratch-directory.ts";
import { droppedIdentity } from "./identity.ts";

export interface SocketDirectory extends AsyncDisposable {
  /** The directory on the host, to be mounted. Only sandboxed code may enter it. */
  path: string;
}

/** Lets sandboxed code reach a server of ours, through a socket in its own directory. It is removed with the server. */
export async function openSocketDirectory(server: Server, name: string): Promise<SocketDirectory> {
  const path = makeSocketScratch("socket");
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
