import type { Contract } from "../../domain/plan/contract.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { type Declared, declaredIn } from "./declared.ts";

export interface Breach {
  id: string;
  message: string;
}

/** A part of the plan that others follow. */
export interface UnfinishedPart {
  /** The files as they were when it began. */
  read(path: string): string | null;
  /** What its title and requirements say. */
  words: string;
}

/**
 * Where the code does not keep what the contract promises, by its syntax alone: names that are missing, parameters with
 * other names or in another order. What cannot be told for sure is left to the tests. `part`: what it does
 * not name and has not touched is left to those that follow; without one everything must be there.
 */
export async function findBreaches(
  parsers: SyntaxParsers,
  contract: Contract,
  read: (path: string) => string | null,
  part?: UnfinishedPart,
): Promise<Breach[]> {
  const breaches: Breach[] = [];
  const known = new Map<string, Declared | null>();
  const began = new Map<string, Declared | null>();
  const isNamed = namedIn(part?.words ?? "");
  for (const { file, name, parameters } of promised(contract)) {
    const text = read(file);
    if (text === null) {
      if (!part)
        breaches.push({ id: `contract: ${name}`, message: `${file} is missing; the contract has ${name} in it` });
      continue;
    }
    if (!known.has(file)) known.set(file, await declaredIn(parsers, file, text));
    const declared = known.get(file);
    if (!declared) continue;
    const found = declared.get(name);
    if (part && !isNamed(name)) {
      if (!began.has(file)) began.set(file, await declaredIn(parsers, file, part.read(file) ?? ""));
      if (isSame(began.get(file)?.get(name), found)) continue;
    }
    if (found === undefined) {
      if (declared.has(name.replace(/\..*$/, ".*"))) continue;
      if (part && parameters === null) continue;
      breaches.push({ id: `contract: ${name}`, message: `${file} defines no ${name}, which the contract promises` });
      continue;
    }
    if (found === null || parameters === null) continue;
    if (found.length >= parameters.length && parameters.every((wanted, at) => found[at] === wanted)) continue;
    const message = `${file}: ${name}(${found.join(", ")}) is ${name}(${parameters.join(", ")}) in the contract`;
    breaches.push({ id: `contract: ${name}`, message });
  }
  return breaches;
}

/** Names as code is written: `a line of its own` does not speak of the function line, nor `report.py` of report. */
function namedIn(words: string): (name: string) => boolean {
  const called = words.match(/[A-Za-z_]\w*(?=\()|(?<=`)[A-Za-z_]\w*(?=`)/g) ?? [];
  const composed = words.match(/[A-Za-z]+_\w+|_\w+|\b[a-z]+[A-Z]\w*/g) ?? [];
  const said = new Set([...called, ...composed]);
  return (name) => said.has(name.replace(/^.*\./, ""));
}

const isSame = (before: string[] | null | undefined, now: string[] | null | undefined): boolean =>
  before === now || (Array.isArray(before) && Array.isArray(now) && before.join() === now.join());

function promised({ functions, classes }: Contract): { file: string; name: string; parameters: string[] | null }[] {
  const names = (parameters: { name: string }[]) => parameters.map(({ name }) => name);
  return [
    ...functions.map(({ file, name, parameters }) => ({ file, name, parameters: names(parameters) })),
    ...classes.flatMap(({ file, name, methods }) => [
      { file, name, parameters: null },
      ...methods.map((method) => ({
        file,
        name: `${name}.${method.name}`,
        // What a constructor is called differs, and what it takes is told by its examples.
        parameters: /^(__init__|constructor|new)$/.test(method.name) ? null : names(method.parameters),
      })),
    ]),
  ];
}
