/** A package manager as the registry has it: this version with this hash, and no other. A project does not choose it. */
export interface ManagerProgram {
  name: string;
  version: string;
  integrity: string;
  /** In its package. */
  program: string;
}

const program = (name: string, path: string, version: string, integrity: string): ManagerProgram => ({
  name,
  version,
  integrity: `sha512-${integrity}`,
  program: path,
});
const pnpm = (version: string, integrity: string) => program("pnpm", "bin/pnpm.cjs", version, integrity);
const berry = (version: string, integrity: string) => program("@yarnpkg/cli-dist", "bin/yarn.js", version, integrity);

const PNPM_7 = pnpm(
  "7.33.7",
  "ev4kEGQrOcaY30baTOXHIxpczjYGmNafjPj0IlfUCz5D8jEFOwe43oSf1P+/SnH/V7g1E3d3o1I4jz09p0cgDg==",
);
const PNPM_8 = pnpm(
  "8.15.9",
  "SZQ0ydj90aJ5Tr9FUrOyXApjOrzuW7Fee13pDzL0e1E6ypjNXP0AHDHw20VLw4BO3M1XhQHkyik6aBYWa72fgQ==",
);
const PNPM_9 = pnpm(
  "9.15.9",
  "aARhQYk8ZvrQHAeSMRKOmvuJ74fiaR1p5NQO7iKJiClf1GghgbrlW1hBjDolO95lpQXsfF+UA+zlzDzTfc8lMQ==",
);
const PNPM_10 = pnpm(
  "10.34.8",
  "9ieo6XE0Ov5J39D2PQKCNCAd+oMdXLWIcz4eX42ya/FpiaMhYatcG02zsf28NzFgYGtbieAC323RmoWt+R/FqA==",
);
const YARN_1 = program(
  "yarn",
  "bin/yarn.js",
  "1.22.22",
  "prL3kGtyG7o9Z9Sv8IPfBNrWTDmXB4Qbes8A9rEzt6wkJV8mUvoirjU0Mp3GGAU06Y0XQyA3/2/RQFVuK7MTfg==",
);
const YARN_3 = berry(
  "3.8.7",
  "YMoAlLR9f+kxXjK72ggBIidi3ulQQrQpMSxzrLUt0OUk9Xdst2v26LBSYFlzOm+7KRNWgYIJpFjA8uRnCgB5xQ==",
);
const YARN_4 = berry(
  "4.9.4",
  "q504Eb++phLdYrVWhHLNpTwlwPkqz+w/+ydkSJUIP2SWKPUoeIllFD0xGVAWOR0pImxYwEjaRVXfdfVeJP6wqA==",
);
const YARN_4_18 = berry(
  "4.18.1",
  "EH+A4TxAtBWXKE0DGQxW9Bo9crXHLJ73mfxjTQJuv8XonNWWTpei8BQ5JjczHJNU9GROTycwMFn8iOvRIZXUcA==",
);

/** The program that reads a lockfile of this form; null where none of ours does. `declared`: `packageManager`. */
export function programFor(
  lock: "pnpm-lock.yaml" | "yarn.lock",
  text: string,
  declared: string,
): ManagerProgram | null {
  if (lock === "pnpm-lock.yaml") {
    const form = /^lockfileVersion: ['"]?(\d+)/m.exec(text)?.[1] ?? "";
    // Two majors write this form, and hash the settings beside it differently.
    if (form === "9") return declared.startsWith("pnpm@9.") ? PNPM_9 : PNPM_10;
    return { 5: PNPM_7, 6: PNPM_8 }[form] ?? null;
  }
  if (/^# yarn lockfile v1\s*$/m.test(text)) return YARN_1;
  const form = Number(/^__metadata:\s+version: (\d+)/m.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(form)) return null;
  return form > 8 ? YARN_4_18 : form > 6 ? YARN_4 : YARN_3;
}

/** Where the manager itself stands while it installs. No glob of a workspace names a hidden folder. */
const PLACE = ".manager";

/** The manager as a project of npm's, so that it is installed by its hash. */
export function managerFiles({ name, version, integrity }: ManagerProgram): { path: string; content: string }[] {
  const dependencies = { [name]: version };
  const packages = { "": { dependencies }, [`node_modules/${name}`]: { version, integrity } };
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return [
    { path: `${PLACE}/package.json`, content: json({ private: true, dependencies }) },
    { path: `${PLACE}/package-lock.json`, content: json({ lockfileVersion: 3, requires: true, packages }) },
  ];
}

/** Shell lines that install exactly the lockfile. Nothing but node_modules is left of it. */
export function installLines({ name, version, program }: ManagerProgram): string[] {
  const run = `node ${PLACE}/node_modules/${name}/${program}`;
  return [
    `npm ci --prefix ${PLACE} --ignore-scripts --silent`,
    ...(name === "pnpm" ? pnpmLines(run) : name === "yarn" ? yarnLines(run) : berryLines(run, version)),
    `rm -rf ${PLACE} .store`,
  ];
}

/** Shell lines that write the lockfile anew and install nothing; null where the manager cannot do one without the other. */
export function writeLockLines({ name, program }: ManagerProgram): string[] | null {
  if (name !== "pnpm") return null;
  return [
    `npm ci --prefix ${PLACE} --ignore-scripts --silent`,
    `node ${PLACE}/node_modules/${name}/${program} install --lockfile-only --no-frozen-lockfile --ignore-scripts --ignore-pnpmfile --store-dir .store --reporter append-only`,
  ];
}

/** Code of the project (`.pnpmfile.cjs`) is not there, and would not be asked. */
const pnpmLines = (run: string): string[] => [
  `${run} install --frozen-lockfile --ignore-scripts --ignore-pnpmfile --store-dir .store --reporter append-only`,
];

/**
 * Its lockfile names a host for each package. Whatever it is: they come from the registry, and must have their hash. With
 * a port it does not know the public registry by its name, for which it would leave the mirror out.
 */
const yarnLines = (run: string): string[] => [
  `registry=$(sed -E 's#/*$##; s#^(http://[^/:]+)$#\\1:80#' <<< "$npm_config_registry")`,
  `sed -i -E 's#^  resolved "https?://[^/"]+(/[^"]*/-/[^"]+)"#  resolved "'"$registry"'\\1"#' yarn.lock`,
  ...heldTo(
    `npm_config_registry=$registry/ ${run} install --ignore-scripts --ignore-engines --non-interactive --no-progress --cache-folder .store`,
  ),
];

/** Its own way of showing packages (`.pnp.cjs`) is a program in front of each: plain folders show the same. */
function berryLines(run: string, version: string): string[] {
  const settings = {
    NODE_LINKER: "node-modules",
    ENABLE_SCRIPTS: "0",
    ENABLE_TELEMETRY: "0",
    ENABLE_GLOBAL_CACHE: "0",
    CACHE_FOLDER: "/workspace/.store",
    HTTP_PROXY: "$http_proxy",
    ENABLE_IMMUTABLE_INSTALLS: "0",
    // The lockfile says which version, however young it is. Older ones refuse settings that they do not know.
    ...(version === YARN_4_18.version && { NPM_MINIMAL_AGE_GATE: "0" }),
  };
  const env = Object.entries(settings).map(([key, value]) => `YARN_${key}=${value}`);
  return heldTo(`${env.join(" ")} ${run} install`);
}

/**
 * What is asked for and not in the lockfile ends the installation. Both kinds of yarn could do that themselves, but the
 * classic one does not look into the packages of a workspace, and the modern one wants the very release that wrote the
 * file: each has patches of its own for some packages.
 */
const heldTo = (install: string): string[] => ["cp yarn.lock .locked", install, `node -e '${SAME_LOCK}'`];

const SAME_LOCK = [
  'const read = (path) => require("fs").readFileSync(path, "utf8").replaceAll("\\"", "").split("\\n");',
  'const asked = (path) => read(path).filter((line) => /^[^#\\s].*:$/.test(line)).flatMap((line) => line.slice(0, -1).split(", "));',
  'const locked = new Set(asked(".locked"));',
  'const other = asked("yarn.lock").find((pattern) => !locked.has(pattern));',
  'if (other) { console.error("Your lockfile needs to be updated: " + other); process.exit(1); }',
].join(" ");
