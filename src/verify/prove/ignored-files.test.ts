import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { withIgnoredFiles } from "./ignored-files.ts";

test("what a build made is laid into both trees, a link to the packages is not", async () => {
  const directory = temporaryDirectory();
  const git = (...args: string[]) => execFileSync("git", ["-C", directory, ...args], { stdio: "ignore" });
  git("init", "-q");
  writeFileSync(join(directory, ".gitignore"), "node_modules\n_version.py\n");
  writeFileSync(join(directory, "_version.py"), "version = 1\n");
  const packages = temporaryDirectory();
  mkdirSync(join(packages, "left"));
  symlinkSync(packages, join(directory, "node_modules"));
  const artifacts = ArtifactStore.open(temporaryDirectory());
  const tree = artifacts.overlay("t1", (await artifacts.importTree("t1", temporaryDirectory())).id, [
    { path: "a.py", content: Buffer.from("") },
  ]);
  const laid = await withIgnoredFiles(artifacts, "t1", directory, { base: tree, result: tree });
  expect(laid?.paths).toEqual(["_version.py"]);
});
