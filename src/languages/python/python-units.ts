import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import { CompiledUnit } from "../compiled-unit.ts";
import type { ProgramRun, SourceFile } from "../language.ts";
import { UNITS_PROGRAM } from "./units-program.ts";

/** The units of a file, those of which nothing is compiled included, and where the interpreter begins its statements, at any depth. */
export type PythonFile = { units: CompiledUnit[]; statements: number[] } | { unreadable: string };

/** What only people read in this project: nothing in it asks for docstrings, or for annotations. */
export interface ReadByPeople {
  docs: boolean;
  types: boolean;
  /** Modules that the project itself has, whatever the language calls so. */
  own: readonly string[];
}

export function unitsRun(files: readonly SourceFile[], { docs, types, own }: ReadByPeople): ProgramRun {
  const stdin = JSON.stringify({ files: files.map(({ path, content }) => ({ path, content })), docs, types, own });
  return { argv: ["python3", "-I", "-S", "-B", "-c", UNITS_PROGRAM], env: {}, stdin };
}

const Answer = z.record(
  z.string(),
  z.union([
    z.object({ units: z.array(CompiledUnit), statements: z.array(z.int().nonnegative()) }),
    z.object({ unreadable: z.string() }),
  ]),
);

/** Null when this is no answer of the program. */
export function readUnits(stdout: string, files: readonly SourceFile[]): Map<string, PythonFile> | null {
  const answer = Answer.safeParse(readJson(stdout)).data;
  if (!answer) return null;
  return new Map(
    files.flatMap(({ path, content }): [string, PythonFile][] => {
      const own = answer[path];
      if (!own) return [];
      if ("unreadable" in own)
        return [[path, { unreadable: `Python cannot read it: ${own.unreadable.slice(0, 300)}` }]];
      const place = characterPlaces(content);
      const units = own.units.map((unit) => ({ ...unit, start: place(unit.start), end: place(unit.end) }));
      return [[path, { units, statements: own.statements.map(place) }]];
    }),
  );
}

/** Python counts bytes. */
function characterPlaces(text: string): (bytes: number) => number {
  if (Buffer.byteLength(text) === text.length) return (bytes) => bytes;
  const places: number[] = [];
  let units = 0;
  for (const character of text) {
    for (let byte = Buffer.byteLength(character); byte > 0; byte -= 1) places.push(units);
    units += character.length;
  }
  return (bytes) => places[bytes] ?? units;
}
