import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type MadePackage, PackageIndex, sandboxOwner } from "../../../test/package-index.ts";
import type { OwnIndex } from "../../domain/settings/own-index.ts";
import { NetworkedSandbox } from "../network/networked-sandbox.ts";
import { openBubblewrap } from "../open-sandbox.ts";
import { accessTo, registryOf } from "./registry.ts";

vi.setConfig({ testTimeout: 120_000 });

const TINY: MadePackage = { language: "python", name: "tiny", version: "2.0", files: { "tiny.py": "WORD = 'own'\n" } };
const SMALL: MadePackage = {
  language: "javascript",
  name: "small",
  version: "1.0.0",
  files: { "index.js": "module.exports = 'own';\n" },
};
const PASSWORD = `Basic ${Buffer.from("me:secret-word").toString("base64")}`;

/** A sandbox as a person has it, with nothing but an index of their own at a private address. */
function own(index: PackageIndex, path: string) {
  const directory = mkdtempSync(join(tmpdir(), "miracle-own-index-"));
  chmodSync(directory, 0o755);
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const host = `127.0.0.1:${index.port}`;
  const named = (language: "python" | "javascript", below: string): OwnIndex => ({
    language,
    url: `http://${host}${path}${below}`,
    authorization: PASSWORD,
    serves: "all",
    source: "test",
  });
  const indexes = async () => [named("python", "/simple/"), named("javascript", "/")];
  const none = join(directory, "none");
  const places = { directory: join(directory, "kept"), own: { pip: none, npm: none, go: none } };
  const open = (known: boolean) => new NetworkedSandbox(openBubblewrap(), { ...places, ...(known && { indexes }) });
  let count = 0;
  return async (line: string, known = true) => {
    await using sandbox = open(known);
    count += 1;
    const workspace = join(directory, `workspace-${count}`);
    mkdirSync(workspace);
    if (sandboxOwner) chownSync(workspace, sandboxOwner.uid, sandboxOwner.gid);
    const limits = { cpus: 2, memoryMb: 1024, pids: 128, diskMb: 256, timeoutMs: 60_000, outputBytes: 50_000 };
    const registries = { python: [host], javascript: [host] };
    const command = { argv: ["bash", "-c", line], workspace, network: { hosts: [host], registries } };
    return sandbox.run(command, limits, new AbortController().signal);
  };
}

const INSTALL = [
  "python3 -m pip install -q --target lib tiny && PYTHONPATH=lib python3 -c 'import tiny; print(tiny.WORD)'",
  "npm install --silent small && node -p 'require(\"small\")'",
  "cat package-lock.json",
].join("\n");

test("a person's own index at a private address is used, with its password, and again without a network", async () => {
  const index = await PackageIndex.listenAt("/team/pypi", PASSWORD, [TINY, SMALL]);
  const run = own(index, "/team/pypi");
  const first = await run(`${INSTALL}; env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'`);
  expect(first.stdout, first.stderr).toMatch(/^own\nown\n/);
  expect(first.stdout).toContain(`http://127.0.0.1:${index.port}/team/pypi/small/-/small-1.0.0.tgz`);
  expect(first.stdout).not.toContain("secret-word");
  expect(first.stdout).not.toContain(PASSWORD.slice("Basic ".length));
  await index[Symbol.asyncDispose]();
  expect((await run(INSTALL)).stdout).toMatch(/^own\nown\n/);
});

test("what lies beside the index on its host is not read, however it is asked for", async () => {
  await using index = await PackageIndex.listenAt("/team/pypi", PASSWORD, [TINY]);
  const run = own(index, "/team/pypi");
  const address = `http://127.0.0.1:${index.port}`;
  const paths = ["/", "/private", "/team/pypi/../private", "/team/pypi/%2e%2e/private", "/team/pypi/..%2fprivate"];
  const lines = paths.map((path) => `curl -s --path-as-is -o /dev/null -w '%{http_code} ' '${address}${path}'`);
  expect((await run(lines.join("\n"))).stdout).toBe("403 403 403 403 403 ");
  expect(index.takeAsked()).toEqual([]);
});

test("a private address that only settings of ours name is still refused", async () => {
  await using index = await PackageIndex.listenAt("/team/pypi", null, [TINY]);
  const run = own(index, "/team/pypi");
  const { stdout } = await run(
    `unset no_proxy NO_PROXY; curl -s http://127.0.0.1:${index.port}/team/pypi/simple/tiny/`,
    false,
  );
  expect(stdout).toContain("not one of the public internet");
  expect(index.takeAsked()).toEqual([]);
});

test("of two indexes on one host each is told its own", () => {
  const index = (path: string, authorization: string): OwnIndex => ({
    language: "javascript",
    url: `https://corp.test${path}`,
    authorization,
    serves: "all",
    source: "test",
  });
  const registry = registryOf("corp.test", [index("/a/", "one"), index("/a/b/", "two")]);
  expect(accessTo(registry, "/a/x")).toEqual({ authorization: "one" });
  expect(accessTo(registry, "/a/b/x")).toEqual({ authorization: "two" });
  expect(accessTo(registry, "/c")).toBeNull();
  expect(accessTo(registryOf("pypi.org"), "/anything")).toEqual({ authorization: null });
});
