/** Directories of the system that tools are read from. No home, and no directory of the person's. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/System",
  "/Library",
  "/opt/homebrew",
  "/opt/local",
  "/private/etc",
  "/private/var/db",
  "/private/var/select",
  "/dev",
];

/** Names that tools look at to find a path; what is in them stays closed. */
const LOOKED_AT = ["/", "/tmp", "/var", "/etc", "/private", "/private/tmp", "/private/var", "/opt", "/Users"];

const DEVICES = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"];

/**
 * What a command may do, in the words of Apple's sandbox: read the system and what is shown to it, write to its workspace
 * and its home, start programs, and reach no network. All else is denied.
 */
export function seatbeltProfile({
  workspace,
  home,
  readable,
}: {
  workspace: string;
  home: string;
  readable: readonly string[];
}): string {
  const below = (paths: readonly string[]) => paths.map((path) => `(subpath ${quoted(path)})`).join(" ");
  const at = (paths: readonly string[]) => paths.map((path) => `(literal ${quoted(path)})`).join(" ");
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow ipc-posix-sem ipc-posix-shm)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    "(allow pseudo-tty)",
    "(allow file-read-metadata)",
    `(allow file-read* ${at(LOOKED_AT)} ${below([...SYSTEM, ...readable])})`,
    `(allow file-write-data file-ioctl ${at(DEVICES)})`,
    `(allow file-read* file-write* ${below([workspace, home])})`,
    // What is shown inside of the workspace stays as it is.
    ...(readable.length > 0 ? [`(deny file-write* ${below(readable)})`] : []),
    "(deny network*)",
  ].join("\n");
}

/** A text of the profile's language: nothing in a path may end it. */
const quoted = (path: string): string => `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
