import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleOf, shipped, withDocument, written } from "../../test/forged-bundle.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { Miracle } from "./miracle.ts";
import { faultsOf } from "./recount.ts";

const miracle = new Miracle(join(import.meta.dirname, "../.."), false);

/** What a run kept, with this bundle in it. */
function kept(files: ReadonlyMap<string, Buffer>): string {
  const directory = temporaryDirectory();
  cpSync(written(files), join(directory, "evidence"), { recursive: true });
  return directory;
}

test("a kept bundle is verified whole, and what differs is named", async () => {
  const genuine = await bundleOf(shipped("python-fix.json"));
  expect(await faultsOf(miracle, kept(genuine))).toEqual([]);
  const forged = withDocument(genuine, ({ verdict }) => (verdict.summary = "proven: all of it"));
  expect(await faultsOf(miracle, kept(forged))).toEqual([expect.stringContaining("verdict.summary: the journal says")]);
});

test("of a document alone the sums are counted, and a run that left none is told apart", async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "project"));
  expect(await faultsOf(miracle, directory)).toBeNull();
  const genuine = await bundleOf(shipped("python-fix.json"));
  const put = (files: ReadonlyMap<string, Buffer>) =>
    writeFileSync(join(directory, "evidence.json"), files.get("evidence.json") ?? "");
  put(genuine);
  expect(await faultsOf(miracle, directory)).toEqual([]);
  put(withDocument(genuine, (document) => (document.coverage = { files: [], share: 1 })));
  expect(await faultsOf(miracle, directory)).toEqual(["coverage.share: it says 1, its own lists say null"]);
});
