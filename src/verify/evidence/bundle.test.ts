import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { EVIDENCE_FORMAT, EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { sha256 } from "../../journal/hash.ts";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { bundleFiles, documentFiles, writeBundle } from "./bundle.ts";
import { checkBundle, type Derive } from "./check-bundle.ts";
import { MANIFEST_FILE, renderManifest } from "./manifest.ts";

/** A bundle with everything a bundle can hold; odd names and bytes included. */
async function sample(change: Partial<EvidenceDocument> = {}, secrets: string[] = []) {
  const artifacts = ArtifactStore.open(temporaryDirectory());
  const empty = artifacts.putTree("p1", () => ({ entries: new Map(), emptyDirectories: new Set() }));
  const base = artifacts.overlay("p1", empty, [{ path: "a.py", content: "a = 1\n" }]);
  const result = artifacts.overlay("p1", base, [
    { path: "a.py", content: "a = 2\n" },
    { path: "tests/test\nodd.py", content: "def test_a(): assert a == 2\n" },
    { path: "b.bin", content: Buffer.from([0, 255, 1]) },
  ]);
  const tests = [{ path: "tests/test\nodd.py", sha256: sha256("def test_a(): assert a == 2\n") }];
  const document = EvidenceDocument.parse({
    format: EVIDENCE_FORMAT,
    producer: "prove",
    at: 1_000_000,
    verdict: { status: "proven", summary: "proven: 1 test", carriedBy: ["own-suite"], reasons: [] },
    change: { files: [{ path: "a.py", change: "modified" }] },
    tests: [
      { id: "tests/test_a.py::test_<a>", origin: "own", role: "red-to-green", before: "failed", after: "passed" },
    ],
    suite: null,
    hashes: { baseTree: base, resultTree: result, tests },
    versions: { miracle: "1.2.3" },
    sandbox: "bubblewrap",
    ...change,
  });
  const directory = join(temporaryDirectory(), "evidence");
  const files = await bundleFiles({ document, artifacts, secrets, measurements: "{}\n" });
  const root = writeBundle(directory, files, false);
  return { directory, files, root, artifacts, document };
}

/** These tests are about the files around a document, not about what it says. */
const believed: Derive = async () => ({ cannot: "it is made up" });
const check = (directory: string, root?: string) =>
  checkBundle(directory, { version: "1.2.3", root, derive: { run: believed, prove: believed } });

test("a bundle holds, and ordinary tools can check it, too", async () => {
  const { directory, root, files } = await sample();
  expect(await check(directory, root)).toMatchObject({ root, files: files.size + 1, faults: [] });
  expect([...files.keys()].sort()).toEqual([
    "change.patch",
    "ctrf.json",
    "evidence.html",
    "evidence.json",
    "evidence.md",
    "junit.xml",
    "measurements.json",
    "tests/tests/test\nodd.py",
    "trees/base.json",
    "trees/result.json",
  ]);
  execFileSync("sha256sum", ["--check", "--strict", MANIFEST_FILE], { cwd: directory });
});

test("any changed byte is found, and its file is named", async () => {
  const { directory, files } = await sample();
  for (const name of [...files.keys(), MANIFEST_FILE]) {
    const file = join(directory, name);
    const content = readFileSync(file);
    for (const at of new Set([0, content.length >> 1, content.length - 1])) {
      const changed = Buffer.from(content);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(file, changed);
      const { faults } = await check(directory);
      expect([name, at, faults.length > 0]).toEqual([name, at, true]);
      if (name !== MANIFEST_FILE) expect(faults[0]).toContain(name);
    }
    writeFileSync(file, content);
  }
  expect((await check(directory)).faults).toEqual([]);
});

test("files that went, came or became links are named", async () => {
  const { directory } = await sample();
  rmSync(join(directory, "change.patch"));
  symlinkSync("/etc/passwd", join(directory, "change.patch"));
  writeFileSync(join(directory, "more"), "");
  rmSync(join(directory, "junit.xml"));
  const { faults } = await check(directory);
  expect(faults.map((fault) => fault.split(":")[0])).toEqual([
    "change.patch",
    "junit.xml",
    "more",
    "evidence.html",
    "junit.xml",
  ]);
});

test("who writes the manifest anew is still found out by the trees, the patch, the tests and the page", async () => {
  const { directory, files, root } = await sample();
  const forge = async (name: string, change: (text: string) => string) => {
    const content = files.get(name)?.toString("utf8") ?? "";
    const forged = new Map(files).set(name, Buffer.from(change(content)));
    rmSync(directory, { recursive: true });
    writeBundle(directory, forged, false);
    return (await check(directory)).faults.map((fault) => fault.split(":")[0]);
  };
  expect(await forge("trees/result.json", (text) => text.replace("a = 2", "a = 3"))).toEqual(["trees/result.json"]);
  expect(await forge("tests/tests/test\nodd.py", (text) => `${text}#`)).toEqual(["tests/tests/test\nodd.py"]);
  expect(await forge("evidence.md", (text) => text.replace("1 test", "9 tests"))).toEqual(["evidence.md"]);
  expect(await forge("junit.xml", (text) => `${text} `)).toEqual(["junit.xml"]);
  expect(await forge("change.patch", (text) => text.replace("+a = 2", "+a = 4"))).toEqual([
    "change.patch",
    "evidence.html",
  ]);
  expect(await forge("change.patch", (text) => text.replace(/^index .*/m, "index 1234567..89abcde 100644"))).toEqual(
    [],
  );
  expect(await forge("evidence.json", (text) => text.replace("1 test", "9 tests"))).toEqual([
    "evidence.md",
    "evidence.html",
    "junit.xml",
  ]);
  // Whoever makes everything anew needs the root hash, or a signature, to be found out.
  expect((await check(directory, root)).faults[0]).toContain("the root hash is");
});

test("a directory that is no bundle is refused, and one that is not empty is not written over", async () => {
  await expect(check(temporaryDirectory())).rejects.toThrow(/is no bundle/);
  const { directory, files } = await sample();
  expect(() => writeBundle(directory, files, false)).toThrow(/--force/);
  writeBundle(directory, files, true);
  const other = temporaryDirectory();
  mkdirSync(join(other, "mine"));
  expect(() => writeBundle(other, files, true)).toThrow(/is not empty/);
  expect(readdirSync(other)).toEqual(["mine"]);
});

test("what holds a secret stays out of the bundle, and the document says so", async () => {
  const { files, directory } = await sample({}, ["a = 2"]);
  expect([...files.values()].some((content) => content.includes("a = 2\n"))).toBe(false);
  const { document, faults } = await check(directory);
  expect(faults).toEqual([]);
  expect(document?.notes).toContain("trees/result.json is not in the bundle, because it holds a secret");
});

test("a page and its reports carry hostile text without effect", async () => {
  const message = "\u001b[31m<script>]]>\u0000\u202e`# x\n## heading";
  const { document } = await sample();
  const hostile = {
    ...document,
    tests: [{ ...(document.tests[0] ?? never()), id: `t.py::${message}`, after: "failed" as const, message }],
  };
  const patch = `diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-x\n+<img src=x>\n+--- <b>\n`;
  const suite = { command: message, before: null, after: null };
  const files = documentFiles({ ...hostile, notes: [message], suite }, Buffer.from(patch));
  const text = (name: string) => files.get(name)?.toString("utf8") ?? "";
  expect(text("evidence.md")).not.toMatch(/[\u001b\u0000\u202e]|^## heading/m);
  const html = text("evidence.html");
  expect(html).not.toMatch(/[\u001b\u0000\u202e]|<script|<img|<b>|https?:/i);
  expect(html).toContain('<td>1</td><td class="add">+&#60;img src=x&#62;</td>');
  expect(html).toContain('<td>2</td><td class="add">+--- &#60;b&#62;</td>');
  expect(html).toContain("default-src 'none'");
  expect(text("junit.xml")).not.toMatch(/[\u001b\u0000]|<script>/);
  expect(() => JSON.parse(text("ctrf.json"))).not.toThrow();
});

test("a manifest that does not fit its own form is not read", async () => {
  const { directory, files } = await sample();
  expect(renderManifest(files)).toBe(readFileSync(join(directory, MANIFEST_FILE), "utf8"));
  const lines = renderManifest(files).split("\n").slice(0, -1);
  for (const forged of [[...lines, ""], lines.toReversed(), [...lines, lines[0]]]) {
    writeFileSync(join(directory, MANIFEST_FILE), `${forged.join("\n")}\n`);
    expect((await check(directory)).faults[0]).toBe(`${MANIFEST_FILE}: it is not as it was written`);
  }
});

const never = (): never => {
  throw new Error("the sample has a test");
};
