import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { fail } from "../domain/failure.ts";
import type { ContentSink } from "./content-sink.ts";
import { errorCode } from "./error-code.ts";
import { FileChanged, LARGE } from "./large-blob.ts";
import { isSecretContent, isSuspectName, type LeftOutReason } from "./left-out.ts";
import { type FileNode, stampOf } from "./stat-cache.ts";

/** How a scan reads a file or a link. */
interface EntryRead {
  /** What the code of a checkout has closed is opened, and closed again. */
  opens: boolean;
  checkedAt: number;
  sink: ContentSink;
}

/** Null if it vanished meanwhile. */
export async function readEntry(
  name: string,
  absolute: string,
  stats: Stats,
  { opens, checkedAt, sink }: EntryRead,
): Promise<FileNode | LeftOutReason | null> {
  const made = (id: string, size: number, pointer: boolean, secret: boolean): FileNode => ({
    kind: stats.isSymbolicLink() ? "link" : "file",
    id,
    permissions: stats.isSymbolicLink() ? 0o777 : stats.mode & 0o777,
    size,
    stamp: stampOf(stats),
    checkedAt,
    pointer,
    secret,
  });
  try {
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(absolute, { encoding: "buffer" });
      return made(sink.blob(target), target.length, false, false);
    }
    const file = opens ? openFile(absolute, stats) : openForReading(absolute);
    try {
      const { size } = fstatSync(file);
      if (size > LARGE) return made(await sink.large(file, size), size, false, false);
      const content = readContent(file, size);
      const secret = isSuspectName(name) && isSecretContent(content);
      return made(secret ? "" : sink.blob(content), content.length, isPointer(content), secret);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof FileChanged) {
      const message = `${absolute} changed while it was read: stop what writes there and start again`;
      throw fail("environment", "workspace.changing", message, { cause: error });
    }
    const code = errorCode(error);
    if (code === "ENOENT") return null;
    if (code === "EACCES" || code === "EPERM" || code === "ELOOP") return "unreadable";
    throw error;
  }
}

function readContent(file: number, size: number): Buffer {
  const content = Buffer.allocUnsafe(size + 1);
  let count = 0;
  for (;;) {
    const read = readSync(file, content, count, content.length - count, count);
    if (read === 0) break;
    count += read;
    if (count > size) throw new FileChanged();
  }
  return content.subarray(0, count);
}

const openForReading = (path: string): number =>
  openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);

/** The mode is part of the snapshot, so the file gets its mode back as soon as it is open. */
function openFile(path: string, { mode }: Stats): number {
  if ((mode & 0o400) !== 0 || process.getuid?.() === 0) return openForReading(path);
  chmodSync(path, 0o400);
  try {
    return openForReading(path);
  } finally {
    chmodSync(path, mode & 0o777);
  }
}

/** Modes of directories are not part of the snapshot. */
export function openDirectory(path: string, { mode }: Stats): void {
  if ((mode & 0o700) !== 0o700 && process.getuid?.() !== 0) chmodSync(path, (mode & 0o777) | 0o700);
}

const POINTER = Buffer.from("version https://git-lfs.github.com/spec/v1\n");

const isPointer = (content: Buffer): boolean =>
  content.length < 1024 && content.length > POINTER.length && content.subarray(0, POINTER.length).equals(POINTER);

/** Null if it cannot be read, or is no directory. */
export function namesIn(directory: string): string[] | null {
  try {
    return readdirSync(directory);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || code === "EPERM" || code === "ENAMETOOLONG")
      return null;
    throw error;
  }
}

const NO_THROW = { throwIfNoEntry: false } as const;

/** The entry itself: links are not followed. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, NO_THROW);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENAMETOOLONG" || code === "EACCES" || code === "ENOTDIR" || code === "EINVAL") return undefined;
    throw error;
  }
}
