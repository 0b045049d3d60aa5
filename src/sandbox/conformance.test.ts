import { vi } from "vitest";
import { ORDINARY_UID, OrdinaryUserSandbox } from "../../test/conformance/ordinary-user-sandbox.ts";
import { SECRET, sandboxConformance } from "../../test/conformance/sandbox.ts";
import { reachableSources } from "../../test/reachable-sources.ts";
import { findControlGroups } from "./control-groups.ts";
import { droppedIdentity } from "./identity.ts";
import { openSandbox } from "./open-sandbox.ts";

const uid = process.getuid?.() ?? 0;
const secret = { HOME: "/root", MIRACLE_TEST_KEY: SECRET };

sandboxConformance({
  name: uid === 0 ? "bubblewrap as root" : "bubblewrap as an ordinary user",
  open: () => {
    vi.stubEnv("MIRACLE_TEST_KEY", SECRET);
    return openSandbox({ backend: "bubblewrap" });
  },
  owner: droppedIdentity()?.uid ?? uid,
  isolates: true,
  groups: findControlGroups().holds("memory") !== null && findControlGroups().holds("pids") !== null,
});

if (uid === 0) {
  sandboxConformance({
    name: "bubblewrap as an ordinary user, started by root",
    open: () => new OrdinaryUserSandbox(reachableSources(), secret),
    owner: ORDINARY_UID,
    isolates: true,
    groups: false,
  });
}

sandboxConformance({
  name: "process",
  open: () => {
    vi.stubEnv("MIRACLE_TEST_KEY", SECRET);
    return openSandbox({ backend: "process" });
  },
  owner: uid,
  isolates: false,
  groups: false,
});
