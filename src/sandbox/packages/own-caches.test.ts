import { createHash, hash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findInOwnCaches } from "./own-caches.ts";
import { packagePlaces } from "./package-places.ts";
import { registryOf } from "./registry.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "miracle-own-caches-"));
});
afterAll(() => rmSync(home, { recursive: true }));

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

const find = (host: string, path: string) =>
  findInOwnCaches(packagePlaces("/nowhere", {}, home).own)(registryOf(host), path);
const spread = (name: string) => `${name.slice(0, 2)}/${name.slice(2, 4)}/${name.slice(4)}`;

/** As npm lays its cache out. */
function putNpm(key: string, integrity: string, content: string): void {
  const entry = JSON.stringify({ key, integrity, metadata: { resHeaders: { "content-type": "application/json" } } });
  put(`.npm/_cacache/index-v5/${spread(hash("sha256", key))}`, `\n${hash("sha1", entry)}\t${entry}`);
  const hex = Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
  put(`.npm/_cacache/content-v2/sha512/${spread(hex)}`, content);
}

const sha512 = (text: string) => `sha512-${createHash("sha512").update(text).digest("base64")}`;

test("npm's cache is read by address, and only what has the hash it is kept under", async () => {
  const key = (name: string) => `make-fetch-happen:request-cache:https://registry.test/${name}`;
  putNpm(key("whole"), sha512("{}"), "{}");
  putNpm(key("changed"), sha512("before"), "after");
  expect(await find("registry.test", "/whole")).toEqual({ type: "application/json", body: Buffer.from("{}") });
  expect(await find("other.test", "/whole")).toBeNull();
  expect(await find("registry.test", "/changed")).toBeNull();
});

test("pip's cache is read by address, pages unpacked", async () => {
  const place = (url: string) => {
    const name = hash("sha224", url);
    return `.cache/pip/http-v2/${name.slice(0, 5).split("").join("/")}/${name}.body`;
  };
  put(place("https://index.test/simple/tiny/"), gzipSync('{"files":[]}'));
  put(place("https://files.test/tiny.whl"), "wheel");
  const page = { type: "application/vnd.pypi.simple.v1+json", body: Buffer.from('{"files":[]}') };
  expect(await find("index.test", "/simple/tiny/")).toEqual(page);
  expect((await find("files.test", "/tiny.whl"))?.body.toString()).toBe("wheel");
});

test("Go's modules are found, and nothing beside them", async () => {
  put("go/pkg/mod/cache/download/example.test/tiny/@v/v1.0.0.mod", "module tiny");
  put("go/pkg/mod/cache/secret/@v/v1.0.0.mod", "secret");
  expect((await find("modules.test", "/example.test/tiny/@v/v1.0.0.mod"))?.body.toString()).toBe("module tiny");
  expect(await find("modules.test", "/../secret/@v/v1.0.0.mod")).toBeNull();
  expect(await find("modules.test", "/%2e%2e/secret/@v/v1.0.0.mod")).toBeNull();
});

test("an address that cannot be read finds nothing", async () => {
  expect(await find("modules.test", "/%E0%A4%A/@v/list")).toBeNull();
});
