import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fail } from "../../domain/failure.ts";

/** What a signature is for: one made for anything else does not count. */
export const NAMESPACE = "miracle-evidence";

interface SignatureCheck {
  valid: boolean;
  /** Who signed, as the list of allowed signers knows it; null when nobody vouches for the key. */
  signer: string | null;
  /** What ssh-keygen said. */
  detail: string;
}

/** Signs a file with a key of the user's, as `ssh-keygen -Y sign` does; the signature stands beside it as `.sig`. */
export async function signFile(file: string, key: string, env: Environment): Promise<void> {
  if (!existsSync(key))
    throw fail("invalid-input", "signature.key", `there is no key ${key}: name a private key of yours`);
  const { exitCode, output } = await sshKeygen(["-Y", "sign", "-f", key, "-n", NAMESPACE, file], env);
  if (exitCode === 0) return;
  const why = output.split("\n")[0] ?? "";
  throw fail("environment", "signature.failed", `${key} could not sign the evidence: ${why}`, { detail: output });
}

/** Checks the signature beside a file. Without allowed signers it says only that somebody with that key signed it. */
export async function checkSignature(
  file: string,
  signature: string,
  content: string,
  allowedSigners: string | undefined,
  env: Environment,
): Promise<SignatureCheck> {
  if (allowedSigners === undefined) {
    const args = ["-Y", "check-novalidate", "-n", NAMESPACE, "-s", signature];
    const { exitCode, output } = await sshKeygen(args, env, content);
    return { valid: exitCode === 0, signer: null, detail: output.trim() };
  }
  if (!existsSync(allowedSigners)) {
    throw fail("invalid-input", "signature.signers", `there is no file ${allowedSigners} of allowed signers`);
  }
  const found = await sshKeygen(["-Y", "find-principals", "-f", allowedSigners, "-s", signature], env);
  const signer = found.exitCode === 0 ? (found.output.trim().split("\n")[0] ?? "") : "";
  if (signer === "") return { valid: false, signer: null, detail: `nobody in ${allowedSigners} has this key` };
  const args = ["-Y", "verify", "-f", allowedSigners, "-I", signer, "-n", NAMESPACE, "-s", signature];
  const { exitCode, output } = await sshKeygen(args, env, content);
  return { valid: exitCode === 0, signer, detail: output.trim() || file };
}

type Environment = Record<string, string | undefined>;

/** The agent is the user's own; nothing else of the environment matters. */
function sshKeygen(args: string[], env: Environment, stdin = ""): Promise<{ exitCode: number; output: string }> {
  const { PATH, HOME, SSH_AUTH_SOCK } = env;
  return new Promise((resolve, reject) => {
    const child = execFile("ssh-keygen", args, { env: { PATH, HOME, SSH_AUTH_SOCK } }, (error, stdout, stderr) => {
      if (error && "code" in error && error.code === "ENOENT") reject(missing());
      else resolve({ exitCode: typeof error?.code === "number" ? error.code : error ? 1 : 0, output: stdout + stderr });
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end(stdin);
  });
}

const missing = () =>
  fail(
    "environment",
    "signature.ssh-keygen",
    "ssh-keygen is not installed, and signatures need it (apt-get install openssh-client)",
  );
