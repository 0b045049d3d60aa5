import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findEngine } from "./find-engine.ts";

test("the socket that the person names comes first", () => {
  expect(findEngine({ DOCKER_HOST: "unix:///run/my.sock" })).toBe("/run/my.sock");
});

test("an engine on another machine cannot see the workspace and is refused", () => {
  expect(() => findEngine({ DOCKER_HOST: "tcp://build:2375" })).toThrow(/only a local engine/);
});

test("podman's socket of the user is found where no Docker runs", async () => {
  const directory = mkdtempSync(join(tmpdir(), "miracle-engine-"));
  const path = join(directory, "docker.sock");
  const server = createServer().listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    expect(findEngine({ XDG_RUNTIME_DIR: directory })).toMatch(/docker\.sock$/);
  } finally {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
