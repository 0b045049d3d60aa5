/** Licences that allow learning without a question, by default. */
export const PERMISSIVE = [
  "MIT",
  "MIT-0",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "0BSD",
  "Unlicense",
  "CC0-1.0",
  "Zlib",
  "BSL-1.0",
  "Python-2.0",
];
/** A project that names no licence: its author keeps all rights. */
export const NO_LICENCE = "none";
const UNKNOWN = "unknown";

export interface LicenceFile {
  path: string;
  content: string;
}

/** True for files that name the licence of a project. */
export const namesLicence = (path: string): boolean =>
  /^(?:un)?licen[cs]e|^copying|^package\.json$|^pyproject\.toml$/i.test(path);

/** The licences that a project's own files name, each once; `none` if there are none. */
export function licencesOf(files: readonly LicenceFile[]): string[] {
  const named = files.flatMap(({ path, content }) => {
    if (path === "package.json") return fromPackage(content);
    if (path === "pyproject.toml") return fromProject(content);
    return [fromText(content)];
  });
  return named.length === 0 ? [NO_LICENCE] : [...new Set(named)].sort();
}

/** Licences that a text itself names: the header of a file that was shown. */
export function licencesIn(text: string): string[] {
  const headers = [...text.matchAll(/SPDX-License-Identifier:[ \t]*([\w.+() -]{1,80}?)[ \t]*(?:\*\/|-->|["'\\]|$)/gm)];
  const found = headers.map(([, expression = ""]) => expression.trim());
  if (/GNU (?:Affero |Lesser |Library )?General Public License/i.test(text)) found.push("GPL");
  return [...new Set(found)].sort();
}

/** An expression such as `MIT OR GPL-3.0` is allowed when one side is, `MIT AND GPL-3.0` when both are. */
export function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  if (allowed.has("any")) return true;
  const inner = expression.replace(/[()]/g, " ").trim();
  if (/ AND /i.test(inner)) return inner.split(/ AND /i).every((part) => isAllowed(part, allowed));
  if (/ OR /i.test(inner)) return inner.split(/ OR /i).some((part) => isAllowed(part, allowed));
  return allowed.has(inner.toLowerCase());
}

export const allowedSet = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => name.trim().toLowerCase()));

function fromPackage(content: string): string[] {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value !== "object" || value === null || !("license" in value)) return [];
    const { license } = value;
    if (typeof license !== "string") return [UNKNOWN];
    return [license === "UNLICENSED" ? NO_LICENCE : license];
  } catch {
    return [];
  }
}

function fromProject(content: string): string[] {
  const named = /^license\s*=\s*(?:"([^"\n]+)"|\{\s*text\s*=\s*"([^"\n]+)")/m.exec(content);
  return named ? [named[1] ?? named[2] ?? UNKNOWN] : [];
}

/** Recognises a licence by a sentence that only it has. Stricter licences come first, because they quote the others. */
function fromText(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  return FORMS.find(([form]) => form.test(flat))?.[1] ?? UNKNOWN;
}

const FORMS: [RegExp, string][] = [
  [/GNU AFFERO GENERAL PUBLIC LICENSE/i, "AGPL"],
  [/GNU LESSER GENERAL PUBLIC LICENSE/i, "LGPL"],
  [/GNU GENERAL PUBLIC LICENSE/i, "GPL"],
  [/Mozilla Public License/i, "MPL-2.0"],
  [/Apache License,? Version 2\.0/i, "Apache-2.0"],
  [/free and unencumbered software/i, "Unlicense"],
  [/CC0 1\.0 Universal/i, "CC0-1.0"],
  [/Permission is hereby granted, free of charge, to any person obtaining a copy/i, "MIT"],
  [/Neither the name of/i, "BSD-3-Clause"],
  [/Redistribution and use in source and binary forms/i, "BSD-2-Clause"],
  [/Permission to use, copy, modify, and(?:\/or)? distribute this software for any purpose/i, "ISC"],
];
