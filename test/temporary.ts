import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory that is gone when the test is over. */
export function temporaryDirectory(name = "miracle-test-", place = tmpdir()): string {
  const directory = mkdtempSync(join(place, name));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** For a great many files: in memory where there is enough of it, since a disk takes its time for each. */
export function quickPlace(bytes: number): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > bytes ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}
