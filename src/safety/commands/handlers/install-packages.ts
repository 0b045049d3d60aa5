import { judgePackage } from "../../dependencies/judge-package.ts";
import { readNpmPackage, readRequirement } from "../../dependencies/requirement.ts";
import type { Call, Judging } from "../judging/judging.ts";
import type { Option } from "../judging/options.ts";
import type { Install } from "../judging/verdict.ts";
import { type Field, literal } from "../shell/field.ts";
import type { Manager } from "./package-managers.ts";

/** Packages by name, each against the list of allowed ones. */
export function installPackages(
  manager: string,
  language: Install["language"],
  fields: Field[],
  judging: Judging,
): void {
  const install: Install = { manager, language, packages: [], manifest: null };
  for (const field of fields) {
    const text = literal(field);
    if (text === undefined) {
      judging.refuse("install.unresolved", field);
      continue;
    }
    if (language === "other") continue;
    if (language === "go" && /^\.{0,2}(\/|$)/.test(text)) continue;
    const { kind, name, version } =
      language === "python" ? readRequirement(text) : language === "go" ? readGoPackage(text) : readNpmPackage(text);
    install.packages.push({ name, version });
    if (kind === "direct") judging.refuse("install.direct", field);
    else {
      const problem = judgePackage(language, name, version, judging.rules.dependencies);
      if (problem) judging.refuse(`install.${problem.kind}`, field, problem.message);
    }
  }
  if (install.packages.length > 0 || fields.length > 0) judging.installs.push(install);
}

function readGoPackage(text: string): { kind: "package"; name: string; version: string | null } {
  const [name = "", version = null] = text.split("@", 2);
  return { kind: "package", name, version };
}

export function installManifest(
  manager: string,
  { language }: Pick<Manager, "language">,
  manifest: string | null,
  call: Call,
  judging: Judging,
): void {
  judging.installs.push({ manager, language, packages: [], manifest });
  judging.refuse("install.manifest", call.name, manifest ?? manager);
}

/** Another registry is another list of packages, and what an install may not run it may not be told to run. */
export function judgeInstallOption({ name, value, field }: Option, manager: string, judging: Judging): void {
  const isPip = /^(pip|uv|pipx|pipenv)$/.test(manager);
  if (
    /^--(registry|index-url|extra-index-url|find-links|trusted-host|index|default-index|proxy)$/.test(name) ||
    (isPip && /^-[if]$/.test(name))
  )
    judging.refuse("install.registry", field);
  const said = literal(value) ?? "";
  if (
    /^--(no-ignore-scripts|no-binary|script-shell|isolated|trust|no-only-binary)$/.test(name) ||
    (name === "--ignore-scripts" && value !== undefined && said !== "true") ||
    (name === "--only-binary" && said !== ":all:")
  )
    judging.refuse("install.scripts", field);
}
