import { judgePackage } from "../../dependencies/judge-package.ts";
import { readNpmPackage, readRequirement } from "../../dependencies/requirement.ts";
import { splitSubcommand } from "../call-patterns.ts";
import { type Field, leading, literal } from "../field.ts";
import type { Call, Judging } from "../judging.ts";
import { type Option, type OptionShape, readArguments } from "../options.ts";
import type { Install } from "../verdict.ts";
import type { Handler } from "./handlers.ts";
import { subcommandWrappers } from "./wrappers.ts";

interface Manager {
  language: Install["language"];
  /** Subcommands that install what they are given. */
  adds: string[];
  /** Subcommands that install what a file lists; those of `adds` do it when they are given nothing. */
  syncs?: string[];
  manifest?: string;
  /** The program alone installs, as `yarn` does. */
  bare?: boolean;
  /** Subcommands that fetch a package and run it, as npx does. */
  runs?: string[];
  options: OptionShape;
}

const PIP: OptionShape = {
  short: "rceitfd",
  long: "requirement constraint editable index-url extra-index-url find-links trusted-host target prefix root upgrade-strategy platform python-version proxy cache-dir dest group".split(
    " ",
  ),
};
const NPM: OptionShape = {
  short: "w",
  long: "registry prefix workspace omit include tag cache userconfig loglevel package filter".split(" "),
};

const MANAGERS: Record<string, Manager> = {
  pip: { language: "python", adds: ["install", "download", "wheel"], options: PIP },
  uv: {
    language: "python",
    adds: ["add", "pip install", "tool install"],
    syncs: ["sync", "pip sync"],
    manifest: "pyproject.toml",
    runs: ["tool run"],
    options: PIP,
  },
  pipx: { language: "python", adds: ["install", "inject"], runs: ["run"], options: PIP },
  poetry: {
    language: "python",
    adds: ["add"],
    syncs: ["install", "update"],
    manifest: "pyproject.toml",
    options: { short: "G", long: ["group", "source"] },
  },
  pdm: {
    language: "python",
    adds: ["add"],
    syncs: ["install", "sync", "update"],
    manifest: "pyproject.toml",
    options: { short: "G" },
  },
  pipenv: { language: "python", adds: ["install"], syncs: ["sync"], manifest: "Pipfile", options: PIP },
  npm: {
    language: "javascript",
    adds: ["install", "i", "in", "add", "isntall", "link", "ln"],
    syncs: ["ci", "clean-install", "install-test", "update", "up", "upgrade", "rebuild", "dedupe"],
    manifest: "package.json",
    options: NPM,
  },
  pnpm: {
    language: "javascript",
    adds: ["add", "install", "i"],
    syncs: ["update", "up", "import"],
    manifest: "package.json",
    runs: ["dlx"],
    options: NPM,
  },
  yarn: {
    language: "javascript",
    adds: ["add", "global add"],
    syncs: ["install", "up", "upgrade"],
    manifest: "package.json",
    bare: true,
    runs: ["dlx"],
    options: NPM,
  },
  bun: {
    language: "javascript",
    adds: ["add", "install", "i"],
    syncs: ["update"],
    manifest: "package.json",
    runs: ["x"],
    options: NPM,
  },
  go: {
    language: "go",
    adds: ["get", "install"],
    syncs: ["mod download"],
    manifest: "go.mod",
    options: { short: "C", long: [] },
  },
};

/** Managers without a list of ours: each of their installs asks. */
const OTHERS: Record<string, string[]> = {
  apt: ["install", "upgrade", "full-upgrade", "dist-upgrade", "remove", "purge", "update"],
  "apt-get": ["install", "upgrade", "dist-upgrade", "remove", "purge", "update", "build-dep"],
  aptitude: ["install"],
  dpkg: ["-i", "--install"],
  apk: ["add", "del", "update", "upgrade"],
  yum: ["install", "update"],
  dnf: ["install", "update"],
  rpm: ["-i", "-U", "--install"],
  pacman: ["-S", "-Syu", "-U"],
  zypper: ["install", "in"],
  brew: ["install", "upgrade", "tap"],
  snap: ["install"],
  flatpak: ["install"],
  nix: ["profile", "shell"],
  "nix-env": ["-i", "-iA"],
  gem: ["install", "update"],
  bundle: ["install", "add", "update"],
  cargo: ["install", "add", "update"],
  composer: ["require", "install", "update", "global"],
  luarocks: ["install"],
  cpan: [""],
  cpanm: [""],
  conda: ["install", "create", "update"],
  mamba: ["install", "create"],
  dotnet: ["add", "tool"],
  corepack: ["prepare", "install", "enable"],
  rustup: ["install", "update", "toolchain", "component"],
  nvm: ["install"],
  pyenv: ["install"],
  asdf: ["install", "plugin"],
  easy_install: [""],
};

export const installHandlers: Record<string, Handler> = {
  ...Object.fromEntries(
    Object.keys(MANAGERS).map((name): [string, Handler] => [name, (call, judging) => installWith(name, call, judging)]),
  ),
  ...Object.fromEntries(
    Object.entries(OTHERS).map(([name, words]): [string, Handler] => [
      name,
      (call, judging) => installOther(name, words, call, judging),
    ]),
  ),
  npx: (call, judging) => runPackage("javascript", "npx", call.words, call, judging),
  bunx: (call, judging) => runPackage("javascript", "bunx", call.words, call, judging),
  uvx: (call, judging) => runPackage("python", "uvx", call.words, call, judging),
};

export function installWith(name: string, call: Call, judging: Judging): void {
  const manager = MANAGERS[name];
  if (manager === undefined) return;
  subcommandWrappers[name]?.(call, judging);
  const { before, words } = splitSubcommand(name, call.words);
  const args = readArguments(words, manager.options);
  const [first, second] = args.operands.map(literal);
  const two = `${first} ${second}`;
  const known = (list: string[] = []) => (list.includes(two) ? 2 : first !== undefined && list.includes(first) ? 1 : 0);
  for (const option of [...readArguments(before, manager.options).options, ...args.options])
    judgeOption(option, name, judging);

  if (name === "npm" && specialNpm(first, args.operands, words, call, judging)) return;
  if (name === "go" && specialGo(first, call, judging)) return;
  if (name === "uv" && first === "run") {
    uvRun(words.slice(1), call, judging);
    return;
  }
  if (name === "pnpm" && first === "exec") {
    judging.run(words.slice(1), call);
    return;
  }
  const runs = known(manager.runs);
  if (runs > 0) {
    runPackage(manager.language, name, words.slice(runs), call, judging);
    return;
  }
  if (known(manager.syncs) > 0) {
    if (args.options.some(({ name: option }) => option === "--offline")) return;
    installManifest(name, manager, manager.manifest ?? null, call, judging);
    return;
  }
  const adds = known(manager.adds);
  if (adds === 0) {
    if (
      manager.bare &&
      first === undefined &&
      args.options.every(({ name: option }) => !/^--?(v|version|h|help)$/.test(option))
    )
      installManifest(name, manager, manager.manifest ?? null, call, judging);
    return;
  }
  const packages = args.operands.slice(adds);
  const files = args.options.filter(({ name: option }) => option === "-r" || option === "--requirement");
  for (const { value } of files) installManifest(name, manager, literal(value) ?? null, call, judging);
  for (const { name: option, value } of args.options)
    if ((option === "-e" || option === "--editable") && value) judging.refuse("install.direct", value);
  if (packages.length === 0 && files.length === 0 && manager.manifest) {
    installManifest(name, manager, manager.manifest, call, judging);
    return;
  }
  installPackages(name, manager.language, packages, judging);
}

function uvRun(words: Field[], call: Call, judging: Judging): void {
  const args = readArguments(words, {
    short: "p",
    long: ["with", "with-requirements", "python", "extra", "group"],
    stops: true,
  });
  const added = args.options.flatMap(({ name, value }) => (name === "--with" && value ? [value] : []));
  if (added.length > 0) installPackages("uv", "python", added, judging);
  judging.run(args.operands, call);
}

function judgeOption({ name, field }: Option, manager: string, judging: Judging): void {
  const isPip = /^(pip|uv|pipx|pipenv)$/.test(manager);
  if (
    /^--(registry|index-url|extra-index-url|find-links|trusted-host|index|default-index|proxy)$/.test(name) ||
    (isPip && /^-[if]$/.test(name))
  )
    judging.refuse("install.registry", field);
}

function installPackages(manager: string, language: Install["language"], fields: Field[], judging: Judging): void {
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

function installManifest(
  manager: string,
  { language }: Pick<Manager, "language">,
  manifest: string | null,
  call: Call,
  judging: Judging,
): void {
  judging.installs.push({ manager, language, packages: [], manifest });
  judging.refuse("install.manifest", call.name, manifest ?? manager);
}

/** npx, `pnpm dlx`, uvx: fetches what is not there. A command that a listed package brings is most likely there. */
function runPackage(
  language: Install["language"],
  manager: string,
  words: Field[],
  call: Call,
  judging: Judging,
): void {
  const args = readArguments(words, {
    short: "pc",
    long: ["package", "call", "from", "with", "registry"],
    stops: true,
  });
  for (const option of args.options) judgeOption(option, manager, judging);
  const text = args.options.find(({ name }) => name === "-c" || name === "--call")?.value;
  if (text) judging.script(text, call);
  if (args.options.some(({ name }) => name === "--no-install" || name === "--offline" || name === "--no")) return;
  const named = args.options.flatMap(({ name, value }) =>
    /^(-p|--package|--from|--with)$/.test(name) && value ? [value] : [],
  );
  const [program] = args.operands;
  if (named.length === 0 && program === undefined) return;
  const commands = language === "other" ? {} : judging.rules.dependencies[language === "go" ? "go" : language].commands;
  const name = literal(program);
  if (named.length === 0 && name !== undefined && Object.hasOwn(commands, name)) return;
  installPackages(manager, language, named.length > 0 ? named : program ? [program] : [], judging);
}

function specialNpm(
  first: string | undefined,
  operands: Field[],
  words: Field[],
  call: Call,
  judging: Judging,
): boolean {
  if (first === "exec" || first === "x") {
    runPackage("javascript", "npm exec", words.slice(1), call, judging);
    return true;
  }
  if (first === "init" || first === "create" || first === "innit") {
    const [template] = operands.slice(1);
    const name = literal(template);
    if (template)
      installPackages(
        "npm",
        "javascript",
        [
          {
            ...template,
            pieces: [{ kind: "text", text: name?.startsWith("@") ? `${name}/create` : `create-${name ?? ""}` }],
          },
        ],
        judging,
      );
    return true;
  }
  if (first === "config" || first === "set" || first === "c") {
    const text = words.map((field) => leading(field)).join(" ");
    if (
      /registry|script-shell|shell|ignore-scripts|node-options|globalconfig|userconfig/.test(text) &&
      !/\b(get|list|ls)\b/.test(text)
    )
      judging.refuse("install.registry", words[1] ?? call.name);
    return true;
  }
  return false;
}

function specialGo(first: string | undefined, call: Call, judging: Judging): boolean {
  const exec = call.words.find((field) => /^--?(exec|toolexec|vettool|overlay)\b/.test(leading(field)));
  if (exec) judging.refuse("run.program", exec);
  if (first !== "run") return false;
  const target = call.words.slice(1).find((field) => !leading(field).startsWith("-"));
  if (target && literal(target)?.includes("@")) installPackages("go", "go", [target], judging);
  return true;
}

function installOther(name: string, words: string[], call: Call, judging: Judging): void {
  subcommandWrappers[name]?.(call, judging);
  const texts = call.words.map((field) => literal(field) ?? "");
  if (!words.includes("") && !texts.some((text) => words.includes(text))) return;
  const packages = readArguments(call.words)
    .operands.slice(1)
    .map((field) => ({ name: literal(field) ?? "?", version: null }));
  judging.installs.push({ manager: name, language: "other", packages, manifest: null });
  judging.refuse("install.manager", call.name, [name, ...texts].join(" "));
}
