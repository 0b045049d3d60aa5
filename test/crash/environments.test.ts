import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { EnvironmentPlace } from "../environment-place.ts";

const wheel = (name: string, requires: string[] = []) => ({
  language: "python" as const,
  name,
  version: "1.0",
  requires,
  files: { [`${name}.py`]: "X = 1\n" },
});

test("a build that is killed leaves nothing that looks finished, and the next one builds all of it", async () => {
  await using place = await EnvironmentPlace.open([wheel("first"), wheel("second")]);
  const build = (): ChildProcess =>
    spawn(
      process.execPath,
      [
        join(import.meta.dirname, "../build-environment-main.ts"),
        place.root,
        String(place.index.port),
        "first\nsecond\n",
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
  const archive = /second-1\.0.*\.whl$/;
  const reached = place.index.holdBack(archive);
  const killed = build();
  await reached;
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(place.directories.list()).toEqual([]);
  expect(readdirSync(place.directories.root).every((name) => name.endsWith(".part"))).toBe(true);

  place.index.answerAll();
  const again = build();
  const said: unknown = JSON.parse(await text(again.stdout ?? expect.fail("no output")));
  expect(said).toMatchObject({ kind: "built", record: { packages: { first: "1.0", second: "1.0" } } });
  expect(place.directories.list()).toHaveLength(1);

  place.index.takeAsked();
  expect(JSON.parse(await text(build().stdout ?? expect.fail("no output")))).toEqual(said);
  expect(place.index.takeAsked()).toEqual([]);
});
