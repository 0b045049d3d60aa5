// Writes the notices of the packages that the bundle contains: their licences ask for it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `files` are all that went into the bundle; ours need no notice. */
export function writeNotices(path, files) {
  const directories = new Set(files.flatMap((file) => [...packageDirectory(file), ...inlinedPackages(file)]));
  const packages = [...directories].map(readPackage).sort((a, b) => (a.title < b.title ? -1 : 1));
  const once = new Map(packages.map((found) => [found.title, found]));
  const texts = [...once.values()].map(({ title, text }) => `${title}\n${"-".repeat(title.length)}\n\n${text}\n`);
  const head = `This program contains ${once.size} packages of others. Their licences:\n`;
  writeFileSync(path, [head, ...texts].join("\n\n"));
}

/** The package that a file belongs to: the innermost one. */
function packageDirectory(file) {
  const match = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.split("?")[0]);
  return match ? [match[1]] : [];
}

/** Some packages hold the code of others, which their bundler marks. Those are installed beside them, for their licences. */
function inlinedPackages(file) {
  const [own] = packageDirectory(file);
  if (own === undefined || !/\.m?js$/.test(file)) return [];
  const text = readFileSync(file.replace("\0", "").split("?")[0], "utf8");
  const marks = text.matchAll(/^\/\/#region \S*\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm);
  const names = new Set([...marks].map(([, name]) => name));
  return [...names].map((name) => `${own.slice(0, own.lastIndexOf("/node_modules/"))}/node_modules/${name}`);
}

function readPackage(directory) {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const files = readdirSync(directory).filter((file) => /^(licen[sc]e|copying|notice|thirdparty)/i.test(file));
  const texts = files.map((file) => readFileSync(join(directory, file), "utf8").trim());
  if (texts.length === 0 && typeof license !== "string") throw new Error(`${name} ${version} states no licence`);
  const stated = `${typeof license === "string" ? `Licence: ${license}` : ""}`;
  return { title: `${name} ${version}`, text: [stated, ...texts].filter((text) => text !== "").join("\n\n") };
}
