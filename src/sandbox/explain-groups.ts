import { join } from "node:path";
import { type Controller, readOr } from "./control-group.ts";

/** Why the kernel does not count a whole command here, and what to do about it. */
export interface MissingGroup {
  why: string;
  remedy: string;
}

const DELEGATE = "start it as `systemd-run --user --scope -p Delegate=yes miracle …`, or with --sandbox docker";

/** `root` is where the file system starts, for tests. */
export function explainMissingGroup(controller: Controller, root = "/"): MissingGroup {
  const mounts = readOr(join(root, "proc/self/mounts"), "")
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, , kind]) => kind === "cgroup" || kind === "cgroup2");
  const unified = mounts.find(([, , kind]) => kind === "cgroup2");
  const split = mounts.find(([, , kind, options]) => kind === "cgroup" && options?.split(",").includes(controller));
  const mount = split ?? unified;
  if (mount === undefined) {
    return { why: "no control groups are mounted", remedy: "mount them, as systemd and container engines do" };
  }
  const [, place = "", kind, options] = mount;
  if (options?.split(",").includes("ro")) {
    return {
      why: "control groups are mounted read-only, as in a container",
      remedy: "start the container with `--privileged --cgroupns=private`, or limit the container itself",
    };
  }
  if (kind === "cgroup")
    return { why: "its control group belongs to another user", remedy: "run with --sandbox docker" };
  const own = /^0::(.*)$/m.exec(readOr(join(root, "proc/self/cgroup"), ""))?.[1] ?? "/";
  const available = readOr(join(root, place, own, "cgroup.controllers"), "")
    .trim()
    .split(" ");
  if (!available.includes(controller)) {
    return {
      why: `the controller ${controller} is not handed down to its control group`,
      remedy: `let systemd delegate it: \`Delegate=cpu memory pids\` in user@.service, or run with --sandbox docker`,
    };
  }
  return { why: "its control group belongs to another user, or has processes of its own", remedy: DELEGATE };
}
