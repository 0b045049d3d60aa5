import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mountArguments } from "./scratch-mounts.ts";

test("packages that bwrap finds elsewhere can be written to at the same places", () => {
  const packages = mkdtempSync(join(tmpdir(), "miracle-mounts-"));
  try {
    mkdirSync(join(packages, ".cache"));
    const staged = { from: "/staged/0", to: "/workspace/node_modules", scratch: [".cache"], seenAt: packages };
    expect(mountArguments(staged, 9)).toEqual([
      ...["--ro-bind", "/staged/0", "/workspace/node_modules"],
      ...["--size", "9", "--tmpfs", "/workspace/node_modules/.cache"],
    ]);
    const { seenAt: _, ...lost } = staged;
    expect(mountArguments(lost, 9)).toEqual(["--ro-bind", "/staged/0", "/workspace/node_modules"]);
  } finally {
    rmSync(packages, { recursive: true });
  }
});
