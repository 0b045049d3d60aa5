import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EvidenceDocument } from "../src/domain/evidence/evidence-document.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { SampleRepository } from "./sample-repository.ts";
import { temporaryDirectory } from "./temporary.ts";

const place = () => {
  const root = temporaryDirectory("miracle-prove-command-");
  const miracle = async (directory: string, ...words: string[]) => {
    const env = { MIRACLE_HOME: join(root, "data"), PATH: "/usr/bin:/bin" };
    const terminal = fakeTerminal({ directory, home: root, env });
    const exit = await runCommandLine(words, terminal);
    return { exit, output: terminal.outputs(), error: terminal.errors() };
  };
  return { root, miracle };
};

const fixed = () => {
  const repository = new SampleRepository({
    "code_of.py": "def double(x):\n    return x\n",
    "test_double.py": "from code_of import double\n\n\ndef test_nothing():\n    assert double(0) == 0\n",
  });
  repository.write({
    "code_of.py": "def double(x):\n    return x + x\n",
    "test_double.py":
      "from code_of import double\n\n\ndef test_nothing():\n    assert double(0) == 0\n\n\ndef test_double():\n    assert double(2) == 4\n",
  });
  return repository;
};

test("a proof is told, written, signed, verified and run again", async () => {
  const { root, miracle } = place();
  const repository = fixed();
  const key = join(root, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  const bundle = join(root, "evidence");
  const proof = await miracle(repository.directory, "prove", "-o", bundle, "--sign", key);
  expect(proof.exit).toBe(0);
  expect(proof.output).toMatch(/^proven: 1 test turned from red to green, 1 test held\n/);
  expect(proof.output).toContain("not checked: whether it is what was wanted");
  expect(proof.output + proof.error).not.toContain("\u001b");
  expect(repository.git("status", "--short")).toBe(" M code_of.py\n M test_double.py\n");

  const [kind, text] = readFileSync(`${key}.pub`, "utf8").split(" ");
  writeFileSync(join(root, "signers"), `me ${kind} ${text}\n`);
  const hash = /root hash ([0-9a-f]{64})/.exec(proof.output)?.[1] ?? "";
  const held = await miracle(root, "verify", bundle, "--root", hash, "--allowed-signers", "signers", "--rerun");
  expect(held.exit).toBe(0);
  expect(held.output).toContain("signed by me");
  expect(held.output).toMatch(/run again: 2 tests and \d+ mutants?, each as the evidence says/);

  const forged = readFileSync(join(bundle, "evidence.json"), "utf8").replace("1 test held", "9 tests held");
  writeFileSync(join(bundle, "evidence.json"), forged);
  const broken = await miracle(root, "verify", bundle, "--rerun", "--json");
  expect(broken.exit).toBe(6);
  expect(JSON.parse(broken.output)).toMatchObject({ rerun: null });
  expect(JSON.parse(broken.output).faults[0]).toMatch(/^evidence\.json: its sha256 is/);
});

test("--json is one document of the schema, and the exit code tells the verdict", async () => {
  const { miracle } = place();
  const repository = fixed();
  repository.write({ "test_double.py": "def test_nothing():\n    pass\n" });
  const { exit, output } = await miracle(repository.directory, "prove", "--json", "-q");
  expect(exit).toBe(7);
  expect(EvidenceDocument.parse(JSON.parse(output)).verdict.status).toBe("refused");
  repository.write({
    "test_double.py": "from code_of import double\n\n\ndef test_nothing():\n    assert double(0) == 1\n",
  });
  expect((await miracle(repository.directory, "prove", "-q")).exit).toBe(1);
});

test("what cannot be judged is bad input, and says what to do", async () => {
  const { root, miracle } = place();
  mkdirSync(join(root, "plain"));
  const none = await miracle(join(root, "plain"), "prove");
  expect([none.exit, none.error]).toEqual([64, expect.stringContaining("is in no git repository")]);
  const repository = fixed();
  const unknown = await miracle(repository.directory, "prove", "--base", "nowhere");
  expect([unknown.exit, unknown.error]).toEqual([64, expect.stringContaining("nowhere names no commit")]);
  for (const [flag, value] of [
    ["--mutation-score", "8"],
    ["--budget", "soon"],
    ["--sandbox", "cloud"],
  ] as const) {
    const wrong = await miracle(repository.directory, "prove", flag, value);
    expect([wrong.exit, wrong.error]).toEqual([64, expect.stringContaining(flag)]);
  }
  expect(existsSync(join(repository.directory, "evidence"))).toBe(false);
});

test("a bundle inside the project is no part of the next change", async () => {
  const { miracle } = place();
  const repository = fixed();
  await miracle(repository.directory, "prove", "-q", "--budget", "0", "-o", "evidence");
  const { output } = await miracle(repository.directory, "prove", "-q", "--budget", "0", "--json");
  expect(JSON.parse(output).change.files.map(({ path }: { path: string }) => path)).toEqual([
    "code_of.py",
    "test_double.py",
  ]);
});
