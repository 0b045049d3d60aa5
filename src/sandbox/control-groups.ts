import { accessSync, constants, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  attempt,
  ControlGroup,
  type Controller,
  type GroupDirectory,
  readOr,
  removeDirectory,
} from "./control-group.ts";

const CONTROLLERS: readonly Controller[] = ["memory", "pids", "cpu"];

/** A place for the groups of commands: a directory of the kernel and the controllers that work in it. */
type Parent = GroupDirectory;

/**
 * Makes a new control group for every command, below the group of this process, so that the limits around us still
 * hold. A group that a killed process left is removed when the next one starts here.
 */
export class ControlGroups {
  readonly #parents: Parent[];
  #count = 0;

  constructor(parents: Parent[]) {
    this.#parents = parents;
    for (const parent of parents) removeStale(parent.path);
  }

  /** `cgroup v1`, or null when this controller cannot be used here. */
  holds(controller: Controller): string | null {
    const parent = this.#parents.find((one) => one.controllers.includes(controller));
    return parent ? `cgroup v${parent.version}` : null;
  }

  /** A group without any limit yet. */
  create(): ControlGroup {
    const directories: GroupDirectory[] = [];
    const name = this.#freeName();
    try {
      for (const parent of this.#parents) {
        const path = join(parent.path, name);
        mkdirSync(path);
        directories.push({ ...parent, path });
      }
    } catch (error) {
      for (const { path } of directories) removeDirectory(path);
      throw error;
    }
    return new ControlGroup(directories);
  }

  #freeName(): string {
    for (;;) {
      this.#count += 1;
      const name = `miracle-${process.pid}-${this.#count}`;
      if (!this.#parents.some(({ path }) => existsSync(join(path, name)))) return name;
    }
  }
}

/** Finds the hierarchies this process may add groups to. `root` is where the file system starts, for tests. */
export function findControlGroups(root = "/"): ControlGroups {
  const own = new Map<string, string>();
  for (const line of readOr(join(root, "proc/self/cgroup"), "").split("\n")) {
    const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    for (const name of names?.split(",") ?? []) own.set(name, path ?? "/");
  }
  const parents: Parent[] = [];
  for (const line of readOr(join(root, "proc/self/mounts"), "").split("\n")) {
    const [, mount, kind, options] = line.split(" ");
    if (mount === undefined) continue;
    if (kind === "cgroup2") parents.push(...unifiedParent(join(root, mount), own.get("") ?? "/"));
    if (kind === "cgroup") {
      const controllers = CONTROLLERS.filter((name) => options?.split(",").includes(name));
      for (const name of controllers) parents.push(...splitParent(join(root, mount), own.get(name) ?? "/", name));
    }
  }
  return new ControlGroups(parents);
}

function splitParent(mount: string, own: string, controller: Controller): Parent[] {
  // In a container our own path may not exist below the mount. Then the mount itself is our group.
  const path = [join(mount, own), mount].find((candidate) => isWritable(candidate));
  return path === undefined ? [] : [{ path, version: 1, controllers: [controller] }];
}

/**
 * On v2 a group with its own processes cannot limit its children, and moving a process needs rights on the common
 * ancestor. So groups are made below the highest group that we may write.
 */
function unifiedParent(mount: string, own: string): Parent[] {
  let path: string | undefined;
  for (let candidate = join(mount, own); candidate.startsWith(mount); candidate = dirname(candidate)) {
    if (!isWritable(candidate) || !isWritable(join(candidate, "cgroup.procs"))) break;
    path = candidate;
  }
  if (path === undefined) return [];
  const control = join(path, "cgroup.subtree_control");
  const available = readOr(join(path, "cgroup.controllers"), "").trim().split(" ");
  for (const name of CONTROLLERS) {
    if (available.includes(name) && !words(control).includes(name)) attempt(() => writeFileSync(control, `+${name}`));
  }
  const controllers = CONTROLLERS.filter((name) => words(control).includes(name));
  return controllers.length === 0 ? [] : [{ path, version: 2, controllers }];
}

function removeStale(parent: string): void {
  attempt(() => {
    for (const name of readdirSync(parent)) {
      const pid = /^miracle-(\d+)-\d+$/.exec(name)?.[1];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeDirectory(join(parent, name));
    }
  });
}

const isWritable = (path: string) => attempt(() => accessSync(path, constants.W_OK));

const words = (file: string) => readOr(file, "").trim().split(" ");
