import { afterAll, test, vi } from "vitest";
import { Docker } from "../../src/sandbox/docker/docker.ts";
import { SANDBOX_UID } from "../../src/sandbox/identity.ts";
import { SECRET, sandboxConformance } from "../conformance/sandbox.ts";
import { startPodman } from "./container-engine.ts";

const engine = await startPodman();

if (typeof engine === "string") {
  test.skip(`podman was not tested: ${engine}`, () => {});
} else {
  afterAll(() => engine[Symbol.asyncDispose]());

  sandboxConformance({
    name: "podman with the host's system",
    open: () => {
      vi.stubEnv("MIRACLE_TEST_KEY", SECRET);
      return new Docker(engine.socket, null);
    },
    owner: SANDBOX_UID,
    isolates: true,
    groups: true,
  });
}
