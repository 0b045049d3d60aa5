import { expect, test } from "vitest";
import { testSettings } from "../../test/journal-builder.ts";
import { strictSafety } from "../domain/settings/safety-settings.ts";
import type { SandboxBackend } from "../domain/settings/settings.ts";
import { mayAddPackages, offeredTools } from "./offered-tools.ts";

const offered = (backend: SandboxBackend, python: string[]) =>
  offeredTools({
    sandbox: { ...testSettings.sandbox, backend },
    safety: { ...strictSafety, registries: { python } },
  });

test("a dependency can be asked for only where it could be installed", () => {
  expect(mayAddPackages(offered("bubblewrap", ["pypi.org"]))).toBe(true);
  expect(mayAddPackages(offered("docker", ["pypi.org"]))).toBe(false);
  expect(mayAddPackages(offered("bubblewrap", []))).toBe(false);
  expect(offered("docker", []).coder.map(({ name }) => name)).toContain("finish");
});
