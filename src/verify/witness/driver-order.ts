import { randomBytes } from "node:crypto";
import type { SourceFile, WitnessOrder } from "../../languages/language.ts";

/** What a driver is told to run: these tests (`path::name`), of the files that hold them. */
export function driverOrder(files: readonly SourceFile[], ids: readonly string[], seconds: number): WitnessOrder {
  const byFile = Map.groupBy(ids, (id) => id.slice(0, id.indexOf("::")));
  const nameOf = (id: string) => id.slice(id.indexOf("::") + 2);
  return {
    files: files.filter(({ path }) => byFile.has(path)),
    wanted: Object.fromEntries([...byFile].map(([path, own]) => [path, own.map(nameOf)])),
    mark: randomBytes(9).toString("base64url"),
    seconds,
  };
}
