import type { Call, Handler, Judging } from "../judging/judging.ts";
import { readArguments } from "../judging/options.ts";
import { literal } from "../shell/field.ts";
import { subcommandWrappers } from "./wrappers.ts";
import { judgeWrittenSources } from "./written-file.ts";

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

export const otherManagerHandlers: Record<string, Handler> = Object.fromEntries(
  Object.entries(OTHERS).map(([name, words]): [string, Handler] => [
    name,
    (call, judging) => installOther(name, words, call, judging),
  ]),
);

function installOther(name: string, words: string[], call: Call, judging: Judging): void {
  subcommandWrappers[name]?.(call, judging);
  if (name === "cargo") judgeWrittenSources(["c"], call, judging);
  const texts = call.words.map((field) => literal(field) ?? "");
  if (!words.includes("") && !texts.some((text) => words.includes(text))) return;
  const packages = readArguments(call.words)
    .operands.slice(1)
    .map((field) => ({ name: literal(field) ?? "?", version: null }));
  judging.installs.push({ manager: name, language: "other", packages, manifest: null });
  judging.refuse("install.manager", call.name, [name, ...texts].join(" "));
}
