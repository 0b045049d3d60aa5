import type { SandboxLimits } from "../domain/settings/settings.ts";
import { type etcFiles, STATUS_DESCRIPTOR } from "./bubblewrap-arguments.ts";
import type { Identity } from "./identity.ts";

/** The launcher's own exit code: the command could not be put under its limits or be given its pipes, so it was not started. */
export const JOIN_FAILED = 97;

/** The first descriptor of a control group's files; they are reused for the files of /etc once the group is joined. */
export const FIRST_JOIN = 4;

/** Where the shell finds its order. */
export const ORDER_DESCRIPTOR = 7;

/** A directory of the shell's own, where it makes the pipes that its output goes through. */
const PIPES_DESCRIPTOR = 9;
export const PIPES = { stdout: "out", stderr: "err" } as const;

/**
 * One small shell is all that stands before bwrap. It joins the control groups and makes its pipes, says so by an empty line
 * of its status, then waits for a line and for its order. It is replaced by bwrap, so killing its process id kills bwrap.
 *
 * The pipes are named ones, because what Node calls a pipe is a socket: it cannot be opened as /dev/stderr. The shell
 * makes them, because they must belong to who is to open them.
 */
export function waitingScript(joins: number): string {
  const descriptors = Array.from({ length: joins }, (_, index) => FIRST_JOIN + index);
  const join = descriptors.map((descriptor) => `echo 0 >&${descriptor}`).join(" && ");
  const [out, err] = [PIPES.stdout, PIPES.stderr].map((name) => `/proc/self/fd/${PIPES_DESCRIPTOR}/${name}`);
  return [
    ...(joins > 0 ? [`{ ${join}; } || exit ${JOIN_FAILED}`] : []),
    ...descriptors.map((descriptor) => `exec ${descriptor}>&-`),
    `mkfifo -m 666 ${out} ${err} || exit ${JOIN_FAILED}`,
    // For reading as well, only so that opening does not wait for the reader.
    `exec 5<>${out} 6<>${err} >${out} 2>${err} 5>&- 6>&- ${PIPES_DESCRIPTOR}<&-`,
    `echo >&${STATUS_DESCRIPTOR}`,
    "IFS= read -r line || exit 0",
    `. /proc/self/fd/${ORDER_DESCRIPTOR}`,
  ].join("\n");
}

/** For each process; enough for any test suite. */
const OPEN_FILES = 8192;

export interface Order {
  limits: SandboxLimits;
  /** False: the command reads nothing. */
  stdin: boolean;
  /** Host paths that only root can reach, and the identity to drop to once they are staged. */
  staged: { paths: string[]; identity: Identity } | null;
  /** bwrap with all its arguments. */
  argv: string[];
  /** The files of /etc that are handed over. */
  files: ReturnType<typeof etcFiles>;
}

/** Sets the limits that are inherited, and hands over the files of /etc through pipes. */
export function orderScript({ limits, stdin, staged, argv, files }: Order): string {
  const script = [
    `exec ${ORDER_DESCRIPTOR}<&-`,
    ...(stdin ? [] : ["exec </dev/null"]),
    "ulimit -c 0",
    // Open files take memory of the kernel's. Where the machine allows fewer, that holds.
    `ulimit -n ${OPEN_FILES} 2>/dev/null`,
    // In blocks of 512 bytes: the size of one file.
    `ulimit -f ${limits.diskMb * 2048}`,
  ];
  if (staged === null) return [...script, ...handOver(words(argv), files)].join("\n");
  const inner = shell(
    [...stage(staged.paths.length), ...handOver(`setpriv ${dropTo(staged.identity)} -- "$@"`, files)],
    [...staged.paths, ...argv],
  );
  return [...script, `exec unshare --mount --propagation private -- ${words(inner)}`, ""].join("\n");
}

/** Where a path that only root can reach is found by bwrap. */
export const stagedPath = (index: number) => `/sys/${index}`;

/**
 * bwrap runs without root's rights and cannot enter, say, a home directory of mode 0700. So in a mount namespace of the
 * launcher the paths are bound to where it can: over /sys, which bwrap does not use and no path of ours is below.
 */
function stage(count: number): string[] {
  const places = Array.from({ length: count }, (_, index) => index);
  return [
    "mount -t tmpfs -o size=1m,mode=755 none /sys || exit 1",
    ...places.map((index) => {
      const place = stagedPath(index);
      return `if [ -d "$1" ]; then mkdir ${place}; else : > ${place}; fi && mount --bind "$1" ${place} || exit 1; shift`;
    }),
  ];
}

function handOver(command: string, files: Order["files"]): string[] {
  const documents = files.map(({ descriptor }) => `${descriptor}<<'${endOf(descriptor)}'`).join(" ");
  return [
    `exec ${command} ${documents}`,
    ...files.map(({ descriptor, content }) => `${content}${endOf(descriptor)}`),
    "",
  ];
}

/**
 * Without control groups the limits are those of each process, set inside: the number of processes is counted in
 * the user namespace of the command there, and over everything the user runs outside.
 */
export function withProcessLimits(argv: string[], limits: SandboxLimits, missing: MissingGroups): string[] {
  if (!missing.memory && !missing.pids) return argv;
  const script = [
    // dash calls it -p, other shells -u.
    ...(missing.pids ? [`ulimit -u ${limits.pids} 2>/dev/null || ulimit -p ${limits.pids}`] : []),
    ...(missing.memory ? [`ulimit -d ${limits.memoryMb * 1024}`] : []),
    'exec "$@"',
  ];
  return shell(script, argv);
}

export interface MissingGroups {
  memory: boolean;
  pids: boolean;
}

const shell = (script: string[], args: string[]): [string, ...string[]] => [
  "/bin/sh",
  "-c",
  script.join("\n"),
  "sh",
  ...args,
];

const words = (argv: string[]) => argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");

const dropTo = ({ uid, gid }: Identity) => `--reuid ${uid} --regid ${gid} --clear-groups`;

const endOf = (descriptor: number) => `END${descriptor}`;
