import { posix } from "node:path";
import type { ListedLanguage } from "./dependency-rules.ts";
import type { ManifestEntry } from "./manifest-entry.ts";
import { readPackageJson } from "./read-package-json.ts";
import { readPyproject } from "./read-pyproject.ts";
import { readRequirement } from "./requirement.ts";

/** Every file that decides over what is installed, by its name; nothing for any other. Never throws. */
export function readManifest(path: string, text: string): ManifestEntry[] {
  const base = posix.basename(path);
  if (base === "package.json") return readPackageJson(text);
  if (base === "pyproject.toml") return readPyproject(text);
  if (/^(requirements|constraints).*\.(txt|in)$/.test(base) || /\/requirements\/[^/]+\.(txt|in)$/.test(`/${path}`))
    return readRequirements(text);
  if (base === "go.mod") return readGoMod(text);
  if (/^\.?(npmrc|yarnrc|yarnrc\.yml|pypirc)$|^pip\.(conf|ini)$|^uv\.toml$/.test(base)) return readSettings(base, text);
  return [];
}

const numbered = (text: string): [string, number][] =>
  text.split(/\r?\n/).map((content, index) => [content, index + 1]);

function readRequirements(text: string): ManifestEntry[] {
  const entries: ManifestEntry[] = [];
  for (const [content, line] of numbered(text)) {
    const requirement = content.replace(/(^|\s)#.*$/, "").trim();
    if (requirement === "" || /^-(r|c|-requirement|-constraint)/.test(requirement)) continue;
    if (/^-(i|f|-index-url|-extra-index-url|-find-links|-trusted-host)/.test(requirement))
      entries.push({ kind: "registry", language: "python", name: requirement, version: null, line });
    else
      entries.push({
        ...readRequirement(requirement.replace(/^(-e|--editable)[\s=]+/, "./")),
        language: "python",
        line,
      });
  }
  return entries;
}

function readGoMod(text: string): ManifestEntry[] {
  const entries: ManifestEntry[] = [];
  let block = "";
  for (const [content, line] of numbered(text)) {
    const words = content
      .replace(/\/\/.*$/, "")
      .trim()
      .split(/\s+/);
    if (words[1] === "(") {
      block = words[0] ?? "";
      continue;
    }
    if (words[0] === ")") {
      block = "";
      continue;
    }
    const [verb, ...rest] = block === "" ? words : [block, ...words];
    const [name = "", version = null] = rest;
    if (name === "") continue;
    if (verb === "require") entries.push({ kind: "package", language: "go", name, version, line });
    else if (verb === "replace")
      entries.push({ kind: "direct", language: "go", name: rest.join(" "), version: null, line });
  }
  return entries;
}

function readSettings(base: string, text: string): ManifestEntry[] {
  const language: ListedLanguage = /pip|uv|pypi/.test(base) ? "python" : "javascript";
  const entries: ManifestEntry[] = [];
  for (const [content, line] of numbered(text)) {
    const setting = content.trim();
    if (/^[#;]/.test(setting)) continue;
    if (/registry|index-?url|find-links|trusted-host|^\s*index\b|npmRegistryServer|^url\s*=/i.test(setting))
      entries.push({ kind: "registry", language, name: setting, version: null, line });
    else if (/ignore-scripts\s*=\s*false|script-shell|enableScripts:\s*true/i.test(setting))
      entries.push({ kind: "script", language, name: setting, version: null, line });
  }
  return entries;
}
