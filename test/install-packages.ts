import { spawnSync } from "node:child_process";

/** Installs Debian's packages, only where nothing else is removed for them; the answer says why that cannot be. */
export function installPackages(packages: string[]): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return `only root can install ${packages.join(", ")}`;
  const apt = (...args: string[]) =>
    spawnSync("apt-get", args, {
      encoding: "utf8",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive" },
    });
  const wanted = ["install", "-y", "--no-install-recommends", ...packages];
  let planned = apt("-s", ...wanted);
  if (planned.status !== 0) {
    apt("update", "-q");
    planned = apt("-s", ...wanted);
  }
  if (planned.status !== 0) return `apt-get cannot install ${packages.join(", ")}`;
  if (/^Remv /m.test(planned.stdout)) return `installing ${packages.join(", ")} would remove other packages`;
  const done = apt(...wanted);
  return done.status === 0 ? null : `apt-get failed: ${done.stderr.slice(-400)}`;
}
