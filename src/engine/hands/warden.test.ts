import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packageRoot } from "../../config/package-root.ts";
import { openSafety } from "../../safety/open-safety.ts";
import type { Safety } from "../../safety/safety.ts";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { Asking, Refused, Warden } from "./warden.ts";

let top: string;
let store: ArtifactStore;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "miracle-warden-"));
  store = ArtifactStore.open(join(top, "data"));
});
afterEach(() => {
  store.close();
  rmSync(top, { recursive: true, force: true });
});

/** The real rules, and which files were looked at. */
function watched(): { safety: Safety; seen: string[] } {
  const seen: string[] = [];
  const real = openSafety({ root: packageRoot(), policy: undefined });
  return {
    seen,
    safety: {
      judgeCommand: (line) => real.judgeCommand(line),
      scanChange: (files) => {
        seen.push(...files.map((file) => file.path));
        return real.scanChange(files);
      },
    },
  };
}

const treeOf = (files: Record<string, string>) =>
  store.putTree("t1", (put) => ({
    entries: new Map(
      Object.entries(files).map(([path, text]) => {
        return [path, { path, kind: "file", id: put(Buffer.from(text)), permissions: 0o644 }];
      }),
    ),
    emptyDirectories: new Set(),
  }));

test("only what changed since the last look is scanned again, and unchanged files of the base never", async () => {
  const base = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`base${index}.py`, `x = ${index}\n`]));
  const { safety, seen } = watched();
  const warden = new Warden(safety, store, undefined);
  warden.startFrom(treeOf(base));
  await warden.checkCode(treeOf({ ...base, "a.py": "a = 1\n", "b.py": "b = 1\n" }));
  expect(seen.splice(0)).toEqual(["a.py", "b.py"]);
  await warden.checkCode(treeOf({ ...base, "a.py": "a = 1\n", "b.py": "b = 2\n" }));
  expect(seen.splice(0)).toEqual(["b.py"]);
  await warden.checkCode(treeOf({ ...base, "a.py": "a = 1\n", "b.py": "b = 2\n" }));
  expect(seen).toEqual([]);
});

test("a finding holds for as long as it stands, also when nothing was scanned anew", async () => {
  const { safety } = watched();
  const warden = new Warden(safety, store, undefined);
  warden.startFrom(treeOf({}));
  const bad = treeOf({ "a.py": "eval(input())\n", "b.py": "x = 1\n" });
  await expect(warden.checkCode(bad)).rejects.toBeInstanceOf(Refused);
  await expect(warden.checkCode(bad)).rejects.toBeInstanceOf(Refused);
  await warden.checkCode(treeOf({ "b.py": "x = 1\n" }));
});

test("given files are not held against a role that may not change them", async () => {
  const { safety } = watched();
  const warden = new Warden(safety, store, undefined);
  warden.startFrom(treeOf({}));
  const tree = treeOf({ "tests/test_a.py": "eval(input())\n" });
  await warden.checkCode(tree, ["tests/test_a.py"]);
  await expect(warden.checkCode(tree)).rejects.toBeInstanceOf(Refused);
});

test("a file of many megabytes or of no text at all is looked at without harm", async () => {
  const { safety } = watched();
  const warden = new Warden(safety, store, undefined);
  warden.startFrom(treeOf({}));
  const tree = treeOf({ "big.py": "x = 1\n".repeat(2_000_000), "image.png": "\u0000\u0001\ufffd" });
  await warden.checkCode(tree).catch((error: unknown) => expect(error).toBeInstanceOf(Refused));
});

test("whoever is asked for packages reads what their index says, and the answer holds for the same packages alone", async () => {
  const { safety } = watched();
  const looked: string[] = [];
  const warden = new Warden(safety, store, undefined, async ({ language, name, range }) => {
    looked.push(`${language} ${name}${range}`);
    return [`${name} is from somewhere`];
  });
  warden.startFrom(treeOf({}));
  const tree = treeOf({ "requirements.txt": "unheard-of==1.0\nrequests>=2.31\n", "evil.py": "eval(input())\n" });
  const asked = await warden.checkPackages(tree, "because\nof this").catch((error: unknown) => error);
  if (!(asked instanceof Asking)) throw asked;
  expect(looked).toEqual(["python unheard-of==1.0"]);
  expect(asked.asked).toMatchObject({ subject: "deps", question: "add unheard-of ==1.0 to requirements.txt" });
  expect(asked.asked.detail).toMatch(/\nunheard-of is from somewhere\nwhy, in the coder's words: because of this$/);
  warden.remember(asked.asked, { granted: true, by: "a person", at: 0, reason: "" });
  await warden.checkPackages(tree, "");
  expect(warden.allowedPackages()).toBe("add unheard-of ==1.0 to requirements.txt (a person)");
  const other = treeOf({ "requirements.txt": "unheard-of==2.0\n" });
  await expect(warden.checkPackages(other, "")).rejects.toBeInstanceOf(Asking);
});
