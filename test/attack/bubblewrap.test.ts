import { readdirSync } from "node:fs";
import { vi } from "vitest";
import { findControlGroups } from "../../src/sandbox/control-groups.ts";
import { droppedIdentity } from "../../src/sandbox/identity.ts";
import { openSandbox } from "../../src/sandbox/open-sandbox.ts";
import { ORDINARY_UID, OrdinaryUserSandbox } from "../conformance/ordinary-user-sandbox.ts";
import { reachableSources } from "../reachable-sources.ts";
import { SECRET } from "./battlefield.ts";
import { attackSuite } from "./suite.ts";

const uid = process.getuid?.() ?? 0;
const groups = findControlGroups();

const own = {
  open: () => {
    vi.stubEnv("MIRACLE_TEST_KEY", SECRET);
    return openSandbox({ backend: "bubblewrap" });
  },
  owner: droppedIdentity()?.uid ?? uid,
  groups: groups.holds("memory") !== null && groups.holds("pids") !== null,
  leftBehind: ownGroups,
};

attackSuite({ name: uid === 0 ? "bubblewrap as root" : "bubblewrap as an ordinary user", ...own });

if (uid === 0) {
  attackSuite({ name: "bubblewrap as root, with mounts that only root can reach", closed: true, ...own });
  attackSuite({
    name: "bubblewrap as an ordinary user, started by root",
    open: () => new OrdinaryUserSandbox(reachableSources(), { HOME: "/root", MIRACLE_TEST_KEY: SECRET }),
    owner: ORDINARY_UID,
    groups: false,
  });
}

function ownGroups(): string[] {
  const own = new RegExp(`miracle-${process.pid}-`);
  try {
    return readdirSync("/sys/fs/cgroup", { recursive: true, encoding: "utf8" }).filter((name) => own.test(name));
  } catch {
    return []; // a machine without control groups
  }
}
