import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { hiddenPrograms } from "./hidden-programs.ts";

test("a program in a home directory is named with its place and with what to do", () => {
  const bin = join(temporaryDirectory(), ".cargo/bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["cargo", "pytest"]) {
    writeFileSync(join(bin, name), "");
    chmodSync(join(bin, name), 0o755);
  }
  const path = `${bin}:/usr/bin:/bin`;
  expect(hiddenPrograms(["RUST_LOG=off cargo test"], path)).toEqual([
    expect.stringMatching(`^\`cargo\` is in ${bin}, which the sandbox does not show, .*--sandbox docker`),
  ]);
  // Found by ourselves, of the system, of the project, or nowhere.
  expect(hiddenPrograms(["pytest -q", "ls", "./check.sh", "no-such-program"], path)).toEqual([]);
});
