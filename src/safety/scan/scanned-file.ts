import type { Grammar } from "../../syntax/parse.ts";

export interface ScannedFile {
  /** Relative to the workspace, with `/`. */
  path: string;
  content: string;
}

/** The code that a file holds, and where in the file each place of it stands. */
export interface CodeInFile {
  grammar: Grammar;
  code: string;
  /** From an offset in the code to one in the file. */
  place(offset: number): number;
  /** It should hold code, and cannot be read. */
  unreadable?: boolean;
}
