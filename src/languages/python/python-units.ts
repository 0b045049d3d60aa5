import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import { CompiledUnit } from "../compiled-unit.ts";
import type { ProgramRun, SourceFile } from "../language.ts";
import { UNITS_PROGRAM } from "./units-program.ts";

export type UnitsOfFile = CompiledUnit[] | { unreadable: string };

/** What only people read in this project: nothing in it asks for docstrings, or for annotations. */
export interface ReadByPeople {
  docs: boolean;
  types: boolean;
}

export function unitsRun(files: readonly SourceFile[], { docs, types }: ReadByPeople): ProgramRun {
  const stdin = JSON.stringify({ files: files.map(({ path, content }) => ({ path, content })), docs, types });
  return { argv: ["python3", "-I", "-S", "-B", "-c", UNITS_PROGRAM], env: {}, stdin };
}

const Answer = z.record(
  z.string(),
  z.union([z.object({ units: z.array(CompiledUnit) }), z.object({ unreadable: z.string() })]),
);

/** Null when this is no answer of the program. */
export function readUnits(stdout: string, files: readonly SourceFile[]): Map<string, UnitsOfFile> | null {
  const answer = Answer.safeParse(readJson(stdout)).data;
  if (!answer) return null;
  return new Map(
    files.flatMap(({ path, content }): [string, UnitsOfFile][] => {
      const own = answer[path];
      if (!own) return [];
      if ("unreadable" in own)
        return [[path, { unreadable: `Python cannot read it: ${own.unreadable.slice(0, 300)}` }]];
      const place = characterPlaces(content);
      const units = own.units.map((unit) => ({ ...unit, start: place(unit.start), end: place(unit.end) }));
      // Of a bare text or a `pass` nothing is compiled.
      return [[path, units.filter(({ code }) => code !== "")]];
    }),
  );
}

/** Python counts bytes. */
function characterPlaces(text: string): (bytes: number) => number {
  const encoded = Buffer.from(text);
  if (encoded.length === text.length) return (bytes) => bytes;
  return (bytes) => encoded.subarray(0, bytes).toString("utf8").length;
}
