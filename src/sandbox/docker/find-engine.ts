import { statSync } from "node:fs";
import { join } from "node:path";
import { unavailable } from "../explain.ts";

export type HostVariables = Readonly<Record<string, string | undefined>>;

/** The socket of a container engine on this machine: the one the person named, or the first that is there. */
export function findEngine(env: HostVariables): string {
  const named = env.DOCKER_HOST;
  if (named !== undefined && named !== "") {
    if (named.startsWith("unix://")) return named.slice("unix://".length);
    throw unavailable(
      `DOCKER_HOST is ${named}, and only a local engine (unix://…) can see the workspace: unset it, or name a socket`,
    );
  }
  const found = candidates(env).find(isSocket);
  if (found !== undefined) return found;
  throw unavailable(
    "no container engine was found: install and start Docker (`apt-get install docker.io`) or podman (`systemctl --user start podman.socket`), or use --sandbox bubblewrap",
  );
}

function candidates({ HOME, XDG_RUNTIME_DIR }: HostVariables): string[] {
  return [
    "/var/run/docker.sock",
    ...(XDG_RUNTIME_DIR ? [join(XDG_RUNTIME_DIR, "docker.sock")] : []),
    ...(HOME ? [join(HOME, ".docker/run/docker.sock")] : []),
    "/run/podman/podman.sock",
    ...(XDG_RUNTIME_DIR ? [join(XDG_RUNTIME_DIR, "podman/podman.sock")] : []),
  ];
}

function isSocket(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
}
