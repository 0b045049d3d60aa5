import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Much more than any test leaves lying at a time. */
const ROOM = 2e9;

/** A directory that is gone when the test is over. In memory, where nobody waits for a disk to flush. */
export function temporaryDirectory(name = "miracle-test-", place = quickPlace(ROOM)): string {
  const directory = mkdtempSync(join(place, name));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** In memory where there is enough of it: a disk takes its time for each file and each flush. */
export function quickPlace(bytes = ROOM): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > bytes ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}
