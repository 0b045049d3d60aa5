import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnvironmentFile } from "../src/config/environment-file.ts";
import type { TestReport } from "../src/domain/evidence/test-report.ts";
import type { SandboxLimits } from "../src/domain/settings/settings.ts";
import type { HousedLanguage, Housing, TreeFiles } from "../src/environments/environment.ts";
import { EnvironmentDirectories } from "../src/environments/environment-directories.ts";
import { Environments } from "../src/environments/environments.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { runTests } from "../src/languages/run-tests.ts";
import type { NetworkedSandbox } from "../src/sandbox/network/networked-sandbox.ts";
import {
  indexSandbox,
  type MadePackage,
  PackageIndex,
  type RealPackage,
  registriesOn,
  sandboxOwner,
} from "./package-index.ts";
import { quickPlace } from "./temporary.ts";

const LIMITS: SandboxLimits = {
  cpus: 2,
  memoryMb: 1024,
  pids: 128,
  diskMb: 512,
  timeoutMs: 120_000,
  outputBytes: 20_000,
};
const signal = new AbortController().signal;
const surroundings = {
  env: { PATH: "/usr/bin:/bin" },
  execPath: process.execPath,
  version: process.version,
};

/** Environments below a directory, whose packages come from an index on this port. */
export const openEnvironmentsIn = (root: string, port: number, sandbox: NetworkedSandbox): Environments =>
  new Environments({
    directories: new EnvironmentDirectories(join(root, "environments")),
    sandbox,
    limits: LIMITS,
    owner: sandboxOwner,
    registries: registriesOn(port),
    surroundings,
    parseFile: parseEnvironmentFile,
    clock: Date.now,
    signal,
    onProgress: () => {},
  });

/** Environments of a project, from packages that the test made. */
export class EnvironmentPlace implements AsyncDisposable {
  readonly languages = openLanguages(surroundings);
  readonly index: PackageIndex;
  readonly root: string;
  readonly sandbox: NetworkedSandbox;
  readonly directories: EnvironmentDirectories;
  readonly project: string;

  private constructor(index: PackageIndex, root: string) {
    this.index = index;
    this.root = root;
    this.sandbox = indexSandbox(root);
    this.directories = new EnvironmentDirectories(join(root, "environments"));
    this.project = join(root, "project");
  }

  static async open(packages: MadePackage[], real: RealPackage[] = []): Promise<EnvironmentPlace> {
    const index = await PackageIndex.listen(packages, real);
    const root = mkdtempSync(join(quickPlace(), "miracle-environments-"));
    chmodSync(root, 0o755);
    const place = new EnvironmentPlace(index, root);
    place.clear();
    return place;
  }

  /** Nothing was built, and the project is empty. */
  clear(): void {
    for (const made of [this.directories.root, this.project]) rmSync(made, { recursive: true, force: true });
    mkdirSync(this.project);
  }

  /** As a process that has just begun. */
  environments(): Environments {
    return openEnvironmentsIn(this.root, this.index.port, this.sandbox);
  }

  recipe(language: HousedLanguage, files: Record<string, string>) {
    return this.environments().recipe(this.languages.named(language), this.project, treeOf(files));
  }

  house(language: HousedLanguage, files: Record<string, string>): Promise<Housing> {
    return this.environments().house(this.languages.named(language), this.project, treeOf(files));
  }

  /** Runs these files with the environment, as tests of a project would be run. */
  async tests(language: HousedLanguage, housing: Housing, files: Record<string, string>): Promise<TestReport> {
    if (housing.kind !== "built") throw new Error(JSON.stringify(housing));
    const workspace = join(this.root, "workspace");
    rmSync(workspace, { recursive: true, force: true });
    mkdirSync(workspace);
    for (const directory of [workspace, this.project])
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, name)), { recursive: true });
        writeFileSync(join(directory, name), text);
      }
    if (sandboxOwner) chownSync(workspace, sandboxOwner.uid, sandboxOwner.gid);
    const named = this.languages.named(language);
    const toolchain = await this.languages.toolchainWith(named, this.project, housing.directory);
    const { sandbox } = this;
    return runTests({ language: named, sandbox, limits: LIMITS, workspace, toolchain, files: [], signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox[Symbol.asyncDispose]();
    await this.index[Symbol.asyncDispose]();
    rmSync(this.root, { recursive: true });
  }
}

export const treeOf = (files: Record<string, string>): TreeFiles => ({
  paths: Object.keys(files),
  read: (path) => files[path] ?? null,
});

export const outcomes = (report: TestReport): string[] => report.tests.map(({ outcome }) => outcome);
