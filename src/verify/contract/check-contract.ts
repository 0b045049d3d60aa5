import type { Contract } from "../../domain/contract.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { type Declared, declaredIn } from "./declared.ts";

export interface Breach {
  id: string;
  message: string;
}

/**
 * Where the code does not keep what the contract promises, by its syntax alone: names that are missing, parameters with
 * other names or in another order. What cannot be told for sure is left to the tests. `whole`: every file must be there.
 */
export async function findBreaches(
  parsers: SyntaxParsers,
  contract: Contract,
  read: (path: string) => string | null,
  whole: boolean,
): Promise<Breach[]> {
  const breaches: Breach[] = [];
  const known = new Map<string, Declared | null>();
  for (const { file, name, parameters } of promised(contract)) {
    const text = read(file);
    if (text === null) {
      if (whole)
        breaches.push({ id: `contract: ${name}`, message: `${file} is missing; the contract has ${name} in it` });
      continue;
    }
    if (!known.has(file)) known.set(file, await declaredIn(parsers, file, text));
    const declared = known.get(file);
    if (!declared) continue;
    const found = declared.get(name);
    if (found === undefined) {
      if (declared.has(name.replace(/\..*$/, ".*"))) continue;
      if (!whole && parameters === null) continue;
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
