/**
 * Who sandboxed code is on the host when Miracle runs as root: a number above every range that distributions, containers and
 * `/etc/subuid` hand out, so it owns nothing. (`nobody` owns files and processes of other services, and may even use
 * the blocks that a file system reserves.) Checkouts are chowned to it.
 */
export const SANDBOX_UID = 1_987_654_321;
const SANDBOX_GID = 1_987_654_321;

export interface Identity {
  uid: number;
  gid: number;
}

/** The identity of sandboxed code on the host; null if it is the identity of this process. */
export function droppedIdentity(uid: number | undefined = process.getuid?.()): Identity | null {
  return uid === 0 ? { uid: SANDBOX_UID, gid: SANDBOX_GID } : null;
}

/** Possible owners of our directories: us, and sandboxed code if it was handed one. */
export function scratchUsers(): number[] {
  const dropped = droppedIdentity();
  return [process.getuid?.() ?? -1, ...(dropped ? [dropped.uid] : [])];
}
