import type { OptionShape } from "../judging/options.ts";
import type { Install } from "../judging/verdict.ts";

/** How a package manager that we have a list for is told to install. */
export interface Manager {
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
  long: "requirement constraint editable index-url extra-index-url find-links trusted-host target prefix root upgrade-strategy platform python-version proxy cache-dir dest group no-binary only-binary config-settings".split(
    " ",
  ),
};
const NPM: OptionShape = {
  short: "w",
  long: "registry prefix workspace omit include tag cache userconfig loglevel package filter".split(" "),
};

export const MANAGERS: Record<string, Manager> = {
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
