import { existsSync } from "node:fs";
import { join } from "node:path";
import { COMPOSE_FILES, composeDatabases } from "../../config/compose-databases.ts";
import { readText } from "../../config/read-text.ts";
import { type MachineCheck, optionalCheck, reason } from "./machine-check.ts";

/** Databases of a compose file, offered to a project that does not say what its tests need. */
export function examineDatabases(directory: string): MachineCheck[] {
  const file = COMPOSE_FILES.find((name) => existsSync(join(directory, name)));
  if (file === undefined || existsSync(join(directory, ".miracle", "services.yaml"))) return [];
  const name = `databases of ${file}`;
  try {
    const found = composeDatabases(readText(join(directory, file)) ?? "", file);
    if (found.length === 0) return [];
    const list = found.map((one) => `${one.name} (${one.image})`).join(", ");
    const remedy = `to start them beside the tests, write \`compose: ${file}\` into .miracle/services.yaml`;
    return [optionalCheck(name, false, `${list}: not started for tests`, remedy)];
  } catch (error) {
    return [optionalCheck(name, false, reason(error), "")];
  }
}
