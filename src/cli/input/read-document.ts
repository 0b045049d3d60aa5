import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseYamlAs } from "../../config/parse-yaml.ts";
import { fail } from "../../domain/failure.ts";
import type { DocumentKind } from "./document-kinds.ts";

/** A document that holds, JSON or YAML: JSON is YAML. Every problem is told at once, each with its line. */
export function readDocument(kind: DocumentKind, file: string, directory: string): unknown {
  const { value, lineOf } = parseYamlAs(kind.schema, readText(file, directory), file);
  const problems = kind.check(value).map(({ path, message }) => {
    const line = lineOf(path);
    return `${file}${line === undefined ? "" : `:${line}`}: ${message}`;
  });
  if (problems.length > 0) throw invalidDocument(problems);
  return value;
}

export function readText(file: string, directory: string): string {
  try {
    return readFileSync(resolve(directory, file), "utf8");
  } catch (cause) {
    throw fail("invalid-input", "document.unreadable", `${file} cannot be read`, { cause });
  }
}

export const invalidDocument = ([first = "", ...others]: string[]) =>
  fail("invalid-input", "document.invalid", first, others.length > 0 ? { detail: others.join("\n") } : {});
