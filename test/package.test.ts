import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InstalledPackage } from "./installed-package.ts";
import { giveToOrdinaryUser } from "./ordinary-user.ts";

/** The machine's own, which may be older than the one that we need. */
const SYSTEM_NODE = "/usr/bin/node";
const systemNode = existsSync(SYSTEM_NODE) ? execFileSync(SYSTEM_NODE, ["--version"], { encoding: "utf8" }).trim() : "";
const isOld = /^v2[0-3]\./.test(systemNode);

/** A whole goal is worked on. */
const LONG = 600_000;

describe("the package", () => {
  let miracle: InstalledPackage;
  let installed: Awaited<ReturnType<InstalledPackage["npm"]>>;

  // Packed and installed once: the last test takes it away again.
  beforeAll(async () => {
    miracle = await InstalledPackage.pack();
    installed = await miracle.npm("install");
  }, LONG);
  afterAll(() => miracle[Symbol.asyncDispose]());

  test("installs for an ordinary user and works on the Node it brings", { timeout: LONG }, async () => {
    expect(installed).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(miracle.manual, "utf8")).toContain("miracle prove");
    const modules = readdirSync(join(miracle.root, "node_modules"));
    expect(modules.filter((name) => !name.startsWith("."))).toHaveLength(1);
    expect(readFileSync(join(miracle.root, "dist/THIRD_PARTY_NOTICES"), "utf8")).toMatch(/^commander \d/m);
    await provesGoodAndBad(miracle, miracle.nodeDirectory);
    await showsAndCompletes(miracle, miracle.nodeDirectory);
  });

  test.skipIf(!isOld)(
    `works on an older Node (here: ${systemNode || "none"}) all the same`,
    { timeout: LONG },
    async () => {
      await provesGoodAndBad(miracle, "");
      await showsAndCompletes(miracle, "");
      expect(await miracle.run("miracle", ["doctor"]), "no key is needed").toMatchObject({ status: 0 });
    },
  );

  test("goes without a trace", { timeout: LONG }, async () => {
    const paths = [miracle.root, miracle.manual, join(miracle.prefix, "bin/miracle")];
    for (const path of paths) expect(existsSync(path), path).toBe(true);
    expect((await miracle.npm("uninstall")).status).toBe(0);
    for (const path of paths) expect(existsSync(path), path).toBe(false);
  });
});

/** The demo, whose hints work as printed, and what a shell completes. */
async function showsAndCompletes(miracle: InstalledPackage, node: string): Promise<void> {
  const cwd = join(miracle.place, "work", node === "" ? "demo-older" : "demo-brought");
  mkdirSync(cwd);
  giveToOrdinaryUser(cwd);
  const where = { cwd, node };
  const demo = await miracle.run("miracle", ["demo"], where);
  expect(demo.stderr).not.toContain("drift");
  expect(demo, demo.stderr).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^proven: .*\(task t\w+\): all 7 requirements shown/m),
  });
  expect(demo.stdout).toContain("The result is in miracle-demo/.");
  const hint = /see it: (miracle diff \w+)/.exec(demo.stdout)?.[1]?.split(" ") ?? [];
  expect((await miracle.run("miracle", hint.slice(1), where)).stdout).toContain("+++ b/wordcount.py");

  const { stdout: script } = await miracle.run("miracle", ["completion", "bash"], where);
  const asked = `${script}\nCOMP_WORDS=(miracle prove --mut) COMP_CWORD=2; _miracle; echo "\${COMPREPLY[@]}"`;
  expect((await miracle.run("bash", ["-c", asked], where)).stdout).toBe("--mutation-score\n");
}

/** A small repository with a change that its tests show, and then one that they do not. */
async function provesGoodAndBad(miracle: InstalledPackage, node: string): Promise<void> {
  const project = join(miracle.place, "work", node === "" ? "older" : "brought");
  const write = (code: string, tests: string) => {
    writeFileSync(join(project, "double.py"), `def double(x):\n    return ${code}\n`);
    writeFileSync(join(project, "test_double.py"), `from double import double\n\n\ndef test_zero():\n${tests}`);
  };
  mkdirSync(project, { recursive: true });
  write("x", "    assert double(0) == 0\n");
  const git = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"];
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "first"],
  ]) {
    execFileSync("git", [...git, ...words], { cwd: project });
  }
  const tests = "    assert double(0) == 0\n\n\ndef test_two():\n    assert double(2) == 4\n";
  write("x + x", tests);
  giveToOrdinaryUser(project);
  const good = await miracle.run("miracle", ["prove"], { cwd: project, node });
  expect(good, good.stderr).toMatchObject({ status: 0, stdout: expect.stringMatching(/^proven: 1 test turned/) });
  write("x + 1", tests);
  const bad = await miracle.run("miracle", ["prove"], { cwd: project, node });
  expect(bad, bad.stderr).toMatchObject({ status: 1, stdout: expect.stringMatching(/^not proven: /) });
}
