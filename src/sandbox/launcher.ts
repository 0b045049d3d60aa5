import type { SandboxLimits } from "../domain/settings.ts";
import { ETC_FILES } from "./bubblewrap-arguments.ts";

/** The launcher's own exit code: the command could not be put under its limits, so it was not started. */
export const JOIN_FAILED = 97;

/** The first descriptor of a control group's files; they are reused for the files of /etc once the group is joined. */
export const FIRST_JOIN = 4;

/**
 * One small shell is all that stands before bwrap: it joins the control groups, sets the limits that are inherited, and
 * hands over the files of /etc through pipes. It is replaced by bwrap, so killing its process id kills bwrap.
 */
export function launcherScript(limits: SandboxLimits, joins: number): string {
  const join = Array.from({ length: joins }, (_, index) => `echo 0 >&${FIRST_JOIN + index}`);
  const documents = ETC_FILES.map(({ descriptor }) => `${descriptor}<<'${endOf(descriptor)}'`).join(" ");
  return [
    ...(join.length > 0 ? [`{ ${join.join(" && ")}; } || exit ${JOIN_FAILED}`] : []),
    ...Array.from({ length: joins }, (_, index) => `exec ${FIRST_JOIN + index}>&-`),
    "ulimit -c 0",
    // In blocks of 512 bytes: the size of one file.
    `ulimit -f ${limits.diskMb * 2048}`,
    `exec "$@" ${documents}`,
    ...ETC_FILES.map(({ descriptor, content }) => `${content}${endOf(descriptor)}`),
    "",
  ].join("\n");
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
  ].join("\n");
  return ["/bin/sh", "-c", script, "sh", ...argv];
}

export interface MissingGroups {
  memory: boolean;
  pids: boolean;
}

const endOf = (descriptor: number) => `END${descriptor}`;
