import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PackageCache } from "./package-cache.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "miracle-package-cache-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const head = (url: string, size: number) => ({ url, type: "text/plain", encoding: "", etag: "", size });

async function keep(cache: PackageCache, url: string, text: string, size = text.length): Promise<void> {
  await cache.keep(head(url, size), "*/*", Readable.from([Buffer.from(text)]));
}

const files = () => readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

test("gives back what was kept, for the same address in the same form", async () => {
  const cache = new PackageCache(directory);
  await keep(cache, "https://a.test/x", "one\ntwo");
  const kept = await cache.find("https://a.test/x", "*/*");
  expect(kept && (await buffer(kept.body())).toString()).toBe("one\ntwo");
  expect(await cache.find("https://a.test/x", "text/html")).toBeNull();
  expect(await cache.find("https://a.test/y", "*/*")).toBeNull();
});

test("keeps nothing of a body that is shorter than announced, breaks off, or is too large", async () => {
  const cache = new PackageCache(directory, { entryBytes: 10, totalBytes: 100 });
  await keep(cache, "https://a.test/short", "abc", 5);
  await keep(cache, "https://a.test/large", "x".repeat(11));
  const broken = new Readable({ read() {} });
  const kept = cache.keep(head("https://a.test/broken", 4), "*/*", broken);
  broken.push("ab");
  broken.destroy(new Error("broken off"));
  await expect(kept).rejects.toThrow("broken off");
  expect(files()).toEqual([]);
});

test("lets go of what was not used for longest when there is too much", async () => {
  const cache = new PackageCache(directory, { entryBytes: 1000, totalBytes: 700 });
  for (const name of ["a", "b", "c"]) await keep(cache, `https://a.test/${name}`, "x".repeat(200));
  await cache.find("https://a.test/a", "*/*");
  await cache.prune();
  expect(await cache.find("https://a.test/a", "*/*")).not.toBeNull();
  expect(await cache.find("https://a.test/b", "*/*")).toBeNull();
  expect(files()).toHaveLength(2);
});
