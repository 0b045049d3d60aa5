import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { checkSignature, NAMESPACE, signFile } from "./signature.ts";

const env = { PATH: "/usr/bin:/bin" };

function signed() {
  const directory = temporaryDirectory();
  const at = (name: string) => join(directory, name);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at("key")]);
  writeFileSync(at("manifest"), "content\n");
  const [kind, key] = readFileSync(at("key.pub"), "utf8").split(" ");
  writeFileSync(at("signers"), `me@example namespaces="${NAMESPACE}" ${kind} ${key}\n`);
  const check = (signers?: string, content = "content\n") =>
    checkSignature(at("manifest"), at("manifest.sig"), content, signers, env);
  return { at, check };
}

test("a signature tells who signed, and holds for these bytes alone", async () => {
  const { at, check } = signed();
  await signFile(at("manifest"), at("key"), env);
  expect(await check(at("signers"))).toMatchObject({ valid: true, signer: "me@example" });
  expect(await check()).toMatchObject({ valid: true, signer: null });
  expect(await check(at("signers"), "Content\n")).toMatchObject({ valid: false });
  expect(await check(undefined, "Content\n")).toMatchObject({ valid: false });
});

test("a signature for anything else, or of somebody else, does not count", async () => {
  const { at, check } = signed();
  execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-f", at("key"), "-n", "git", at("manifest")], { stdio: "pipe" });
  expect(await check(at("signers"))).toMatchObject({ valid: false });
  expect(await check()).toMatchObject({ valid: false });
  const other = signed();
  expect(await checkSignature(at("manifest"), at("manifest.sig"), "content\n", other.at("signers"), env)).toMatchObject(
    {
      valid: false,
      signer: null,
    },
  );
});

test("says what is missing", async () => {
  const { at } = signed();
  await expect(signFile(at("manifest"), at("nothing"), env)).rejects.toThrow(/there is no key/);
  await expect(signFile(at("manifest"), at("manifest"), env)).rejects.toThrow(/could not sign/);
  await expect(signFile(at("manifest"), at("key"), { PATH: "/nowhere" })).rejects.toThrow(
    /ssh-keygen is not installed/,
  );
});
