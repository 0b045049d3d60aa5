import type { DependencyRules, ListedLanguage } from "./dependency-rules.ts";
import { misspelled } from "./misspelled.ts";
import { isWithin } from "./version-range.ts";

interface Problem {
  kind: "unlisted" | "version" | "typo";
  message: string;
  instead: string;
}

/** Undefined when the list allows it. `used`: names that the project uses already, and that may be meant, too. */
export function judgePackage(
  language: ListedLanguage,
  name: string,
  version: string | null,
  rules: DependencyRules,
  used: string[] = [],
): Problem | undefined {
  const { packages } = rules[language];
  const listed = listedName(language, name, packages);
  if (listed !== undefined) {
    const allowed = packages[listed] ?? "*";
    if (isWithin(version, allowed)) return undefined;
    const message = `${name} ${version ?? "without a version"} is outside of what the list allows: ${allowed}`;
    return { kind: "version", message, instead: `ask for ${listed} ${allowed}` };
  }
  const isSame = (other: string) => other === name || (language === "python" && plain(other) === plain(name));
  const meant = used.some(isSame) ? undefined : misspelled(language, name, [...Object.keys(packages), ...used]);
  if (meant !== undefined) {
    const message = `${name} looks like a misspelling of ${meant}: packages with such names are made to be installed by mistake`;
    return { kind: "typo", message, instead: `if you mean ${meant}, write ${meant}` };
  }
  return {
    kind: "unlisted",
    message: `${name} is not on the list of allowed dependencies`,
    instead: "use the standard library or a listed package, or ask for approval",
  };
}

function listedName(language: ListedLanguage, name: string, packages: Record<string, string>): string | undefined {
  if (Object.hasOwn(packages, name)) return name;
  if (language === "python") return Object.keys(packages).find((candidate) => plain(candidate) === plain(name));
  // A module's packages belong to it: github.com/x/y/v2/sub.
  if (language === "go") return Object.keys(packages).find((candidate) => name.startsWith(`${candidate}/`));
  return undefined;
}

/** PEP 503: case, and runs of `-`, `_`, `.` make no difference. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");
