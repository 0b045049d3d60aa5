import type { TestCase } from "../../domain/evidence/test-report.ts";

type Named = Pick<TestCase, "file" | "name">;

const CASE = /(\[.*\]| \(\d+\))$/s;

/** A test without its case: parametrised tests carry more in their names. */
export const bare = (name: string): string => name.replace(/\[.*\]$/s, "").replace(/ \(\d+\)$/, "");

/** What a parametrised test was given, as its name tells; empty for others. */
export const caseOf = (name: string): string => CASE.exec(name)?.[0] ?? "";

export const keyOf = ({ file, name }: Named): string => `${file}::${bare(name)}`;

/** Stands for a file whose tests could not be found. */
export const isWholeFile = ({ name }: Named): boolean => name === "collection" || name === "file";
