import { fail, type TerminalFailure } from "../domain/failure.ts";
import { readOr } from "./control-group.ts";

const OTHERWISE = "or run without isolation with --sandbox process (untrusted code then runs as you)";

const DOCKER = "use --sandbox docker with an engine such as Docker or Podman";
const SEATBELT = "or --sandbox seatbelt (not seen on hardware yet)";

export const noBubblewrap = (): TerminalFailure =>
  unavailable(`bubblewrap is not installed: apt-get install bubblewrap, ${OTHERWISE}`);

export const notLinux = (platform: string): TerminalFailure =>
  unavailable(
    `bubblewrap needs Linux, and this is ${platform}: ${DOCKER}, ${platform === "darwin" ? `${SEATBELT}, ` : ""}${OTHERWISE}`,
  );

export const seatbeltNotHere = (platform: string): TerminalFailure =>
  unavailable(
    platform === "darwin"
      ? `there is no /usr/bin/sandbox-exec on this machine: ${DOCKER}, ${OTHERWISE}`
      : `seatbelt needs macOS, and this is ${platform}: use bubblewrap on Linux, or ${DOCKER}, ${OTHERWISE}`,
  );

/** Turns bwrap's error at the start into advice for a person. */
export function explainBubblewrap(stderr: string): TerminalFailure {
  const said = stderr.trim().split("\n").at(-1) ?? "";
  return unavailable(`bubblewrap cannot start here (${said || "no message"}): ${remedy(said)}, ${OTHERWISE}`, stderr);
}

function remedy(said: string): string {
  if (/Unknown option/.test(said)) return "it is too old; install version 0.8 or newer";
  if (/uid map|namespace|RTM_NEWADDR|loopback/i.test(said)) return namespaceRemedy();
  if (/Failed to make \/ slave|mount proc|pivot_root|Operation not permitted/i.test(said)) {
    return "this looks like a container that forbids mounts; start it with --privileged, or with --security-opt seccomp=unconfined --security-opt apparmor=unconfined";
  }
  if (/PR_SET_SECCOMP|seccomp/i.test(said)) return "the kernel cannot filter system calls (CONFIG_SECCOMP_FILTER)";
  if (/No space left|Cannot allocate|Resource temporarily/i.test(said))
    return "the machine is short of memory or processes";
  return "see `miracle doctor`";
}

function namespaceRemedy(): string {
  if (readOr("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "0").trim() === "1") {
    return "AppArmor forbids user namespaces (Ubuntu 23.10 and newer); allow them with `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`, or give bwrap a profile with `userns,`";
  }
  if (readOr("/proc/sys/kernel/unprivileged_userns_clone", "1").trim() === "0") {
    return "user namespaces are switched off; allow them with `sudo sysctl -w kernel.unprivileged_userns_clone=1`";
  }
  if (readOr("/proc/sys/user/max_user_namespaces", "1").trim() === "0") {
    return "user namespaces are switched off; allow them with `sudo sysctl -w user.max_user_namespaces=10000`";
  }
  return "this looks like a container that forbids namespaces; start it with --privileged, or with --security-opt seccomp=unconfined --security-opt apparmor=unconfined";
}

/** Explains a failed start whose cause is the machine, not the command. The task can continue once that is fixed. */
export function explainStart(error: Error): Error {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (!["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"].includes(code)) return error;
  const message = `no process can be started for the sandbox (${code}): the machine is short of memory or processes; free some, then resume`;
  return fail("environment", "sandbox.unavailable", message, { cause: error });
}

export function unavailable(message: string, detail?: string): TerminalFailure {
  return fail("environment", "sandbox.unavailable", message, { ...(detail !== undefined && { detail }) });
}
