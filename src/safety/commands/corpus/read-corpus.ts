import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The lines of a corpus file; `␤` stands for a line break inside of a command, `␍` for a carriage return. */
export function readCorpus(name: string): string[] {
  return readFileSync(join(import.meta.dirname, `${name}.txt`), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "))
    .map((line) => line.replaceAll("␤", "\n").replaceAll("␍", "\r"));
}
