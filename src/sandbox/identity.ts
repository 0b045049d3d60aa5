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

/** The identity that sandboxed code gets on the host; null when it stays the one of this process. */
export function droppedIdentity(uid: number | undefined = process.getuid?.()): Identity | null {
  return uid === 0 ? { uid: SANDBOX_UID, gid: SANDBOX_GID } : null;
}

/** Whom directories of ours may belong to: us, and sandboxed code where it is handed one. */
export function scratchUsers(): number[] {
  const dropped = droppedIdentity();
  return [process.getuid?.() ?? -1, ...(dropped ? [dropped.uid] : [])];
}
