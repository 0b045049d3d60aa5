import { fstatSync, readSync } from "node:fs";
import { fail } from "../domain/failure.ts";

export interface FileWindow {
  /** Lines with `\n`. A last line in brackets says that there is more, or that something was cut. */
  text: string;
  fromLine: number;
  toLine: number;
  /** Null if the file is too large to count. */
  totalLines: number | null;
  complete: boolean;
}

const DEFAULT_LINES = 500;
const MOST_LINES = 2000;
const MOST_BYTES = 64 << 10;
const MOST_LINE_BYTES = 4 << 10;
/** Files up to this size are read to the end, to count their lines. */
const COUNTED_BYTES = 8 << 20;
const PIECE = 64 << 10;

/** Reads some lines of an open text file. Needs memory for the window, not for the file. */
export function readWindow(file: number, path: string, asked: { fromLine?: number; lines?: number }): FileWindow {
  const { size } = fstatSync(file);
  const fromLine = asked.fromLine ?? 1;
  const lastLine = fromLine + Math.min(asked.lines ?? DEFAULT_LINES, MOST_LINES) - 1;
  const kept: string[] = [];
  let keptBytes = 0;
  let line = 1;
  let partial: Buffer[] = [];
  let partialBytes = 0;
  let full = false;
  const endLine = () => {
    const text = Buffer.concat(partial).toString("utf8");
    kept.push(
      partialBytes > MOST_LINE_BYTES ? `${text}… [line of ${partialBytes} bytes, cut]` : text.replace(/\r$/, ""),
    );
    full = keptBytes >= MOST_BYTES;
    partial = [];
    partialBytes = 0;
  };
  const wanted = () => line >= fromLine && line <= lastLine && !full;
  const piece = Buffer.allocUnsafe(PIECE);
  let at = 0;
  let endsOpen = false;
  for (let count = readSync(file, piece, 0, PIECE, at); count > 0; count = readSync(file, piece, 0, PIECE, at)) {
    const bytes = piece.subarray(0, count);
    if (at === 0 && bytes.subarray(0, 8000).includes(0)) throw binary(path, size);
    at += count;
    for (let start = 0; start < count; ) {
      const feed = bytes.indexOf(10, start);
      const end = feed < 0 ? count : feed;
      if (wanted()) {
        const room = Math.max(0, MOST_LINE_BYTES - partialBytes);
        const part = bytes.subarray(start, Math.min(end, start + room));
        if (part.length > 0) partial.push(Buffer.from(part));
        keptBytes += part.length + 1;
        partialBytes += end - start;
        if (feed >= 0) endLine();
      }
      if (feed >= 0) line += 1;
      endsOpen = feed < 0;
      start = end + 1;
    }
    if ((line > lastLine || full) && size > COUNTED_BYTES) break;
  }
  const readAll = at >= size;
  if (endsOpen && partialBytes > 0 && wanted()) endLine();
  const totalLines = readAll ? (endsOpen ? line : line - 1) : null;
  if (totalLines !== null && fromLine > Math.max(totalLines, 1)) {
    throw fail("invalid-input", "file.lines", `${path} has only ${totalLines} lines`);
  }
  const toLine = fromLine + kept.length - 1;
  const complete = totalLines !== null && fromLine === 1 && toLine >= totalLines;
  const more = totalLines === null || toLine < totalLines;
  const note = `[lines ${fromLine} to ${toLine} of ${totalLines ?? `a file of ${size} bytes`}${more ? `; go on with fromLine ${toLine + 1}` : ""}]`;
  const text = kept.join("\n") + (endsOpen && !more ? "" : kept.length > 0 ? "\n" : "");
  return {
    text: complete ? text : `${text}${text.endsWith("\n") ? "" : "\n"}${note}`,
    fromLine,
    toLine,
    totalLines,
    complete,
  };
}

export const binary = (path: string, size: number) =>
  fail("invalid-input", "file.binary", `${path} is a binary file, ${size} bytes: it cannot be shown as text`);
