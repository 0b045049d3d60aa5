import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainMissingGroup } from "./explain-groups.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "miracle-groups-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const V2 = "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n";
const OWN = "/user.slice/user-1000.slice/session-2.scope";

test.each([
  ["", "", "no control groups are mounted", "mount them"],
  ["cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n", "", "belongs to another user", "--sandbox docker"],
  ["cgroup2 /sys/fs/cgroup cgroup2 ro,nosuid 0 0\n", "", "mounted read-only, as in a container", "--cgroupns=private"],
  [V2, "pids", "the controller memory is not handed down", "Delegate=cpu memory pids"],
  [V2, "cpu memory pids", "belongs to another user, or has processes", "systemd-run --user --scope"],
])("says why a command's memory is not counted, and what to do: %j, %j", (mounts, controllers, why, remedy) => {
  const files = {
    "proc/self/mounts": mounts,
    "proc/self/cgroup": `0::${OWN}\n`,
    [`sys/fs/cgroup${OWN}/cgroup.controllers`]: controllers,
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const missing = explainMissingGroup("memory", root);
  expect(missing.why).toContain(why);
  expect(missing.remedy).toContain(remedy);
  expect(missing.remedy, "nobody should").not.toContain("root");
});
