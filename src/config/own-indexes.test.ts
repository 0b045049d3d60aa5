import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { loadConfig } from "./load-config.ts";
import { ownIndexes } from "./own-indexes.ts";
import { packageRoot } from "./package-root.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

function homeWith(files: Record<string, string>): string {
  const home = temporaryDirectory("miracle-home-");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
}

test("an index with a name and a password is known by its address, and what is said to it apart from that", async () => {
  const env = { PIP_INDEX_URL: "https://me:s%40cret@pypi.corp.test:8443/root/pypi/+simple" };
  expect(await ownIndexes(env, homeWith({}))).toEqual([
    {
      language: "python",
      url: "https://pypi.corp.test:8443/root/pypi/+simple/",
      authorization: basic("me:s@cret"),
      serves: "all",
      source: "PIP_INDEX_URL",
    },
  ]);
});

test("files of pip's and uv's count where no variable does, and .netrc knows the password", async () => {
  const home = homeWith({
    ".config/pip/pip.conf":
      "[global]\nindex-url = http://10.0.0.5/simple/\nextra-index-url =\n    https://one.test/simple\n    file:///opt/wheels\n",
    ".netrc": "machine 10.0.0.5 login me password secret-word\n",
  });
  expect(await ownIndexes({}, home)).toMatchObject([
    { url: "http://10.0.0.5/simple/", serves: "all", authorization: basic("me:secret-word") },
    { url: "https://one.test/simple/", serves: "more", authorization: null },
  ]);
  const uv = homeWith({
    ".config/uv/uv.toml":
      '[[index]]\nname = "corp"\nurl = "https://corp.test/simple"\ndefault = true\n[[index]]\nurl = "https://more.test/simple"\n',
  });
  expect(await ownIndexes({}, uv)).toMatchObject([
    { url: "https://corp.test/simple/", serves: "all" },
    { url: "https://more.test/simple/", serves: "more" },
  ]);
  expect(await ownIndexes({ PIP_INDEX_URL: "https://first.test/simple/" }, uv)).toMatchObject([
    { url: "https://first.test/simple/", source: "PIP_INDEX_URL" },
    { url: "https://more.test/simple/", serves: "more" },
  ]);
});

test(".npmrc of the person names registries, scopes and what is said to each of them", async () => {
  const npmrc = [
    "registry=https://npm.corp.test/all/",
    "@team:registry = http://10.1.2.3:4873",
    `//npm.corp.test/:_authToken=$${"{CORP_TOKEN}"}`,
    "//10.1.2.3:4873/:username=me",
    `//10.1.2.3:4873/:_password=${Buffer.from("secret-word").toString("base64")}`,
  ].join("\n");
  expect(await ownIndexes({ CORP_TOKEN: "token-of-mine" }, homeWith({ ".npmrc": npmrc }))).toMatchObject([
    { url: "https://npm.corp.test/all/", serves: "all", authorization: "Bearer token-of-mine" },
    { url: "http://10.1.2.3:4873/", serves: "@team", authorization: basic("me:secret-word") },
  ]);
});

test("Go's proxy is the first web address of its list", async () => {
  expect(await ownIndexes({ GOPROXY: "off" }, homeWith({}))).toEqual([]);
  expect(await ownIndexes({ GOPROXY: "https://go.corp.test/x,direct" }, homeWith({}))).toMatchObject([
    { language: "go", url: "https://go.corp.test/x/" },
  ]);
});

test("settings name the hosts alone, and the person's own file of ours still has the last word", async () => {
  const home = homeWith({
    ".npmrc": "@team:registry=https://npm.corp.test/\n//npm.corp.test/:_authToken=token-of-mine\n",
    "project/.npmrc": "registry=https://evil.test/\n",
  });
  const env = { PIP_INDEX_URL: "http://me:secret-word@127.0.0.1:3141/simple/" };
  const load = () => loadConfig({ directory: join(home, "project"), env, home, root: packageRoot() });
  const { settings, secrets } = await load();
  expect(settings.safety.registries).toMatchObject({
    python: ["127.0.0.1:3141"],
    javascript: ["registry.npmjs.org", "npm.corp.test"],
    go: ["proxy.golang.org", "sum.golang.org"],
  });
  expect(secrets).toEqual(expect.arrayContaining(["secret-word", "token-of-mine"]));
  expect(JSON.stringify(settings)).not.toMatch(/secret-word|token-of-mine|evil/);
  mkdirSync(join(home, ".config/miracle"), { recursive: true });
  writeFileSync(join(home, ".config/miracle/config.yaml"), "safety: { registries: { python: [pypi.org] } }\n");
  expect((await load()).settings.safety.registries?.python).toEqual(["pypi.org"]);
});
