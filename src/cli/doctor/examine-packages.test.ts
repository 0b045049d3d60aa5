import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { examinePackages } from "./examine-packages.ts";

test("what is wrong with the settings is left to their own check", async () => {
  const directory = temporaryDirectory("miracle-doctor-");
  mkdirSync(join(directory, ".miracle"));
  writeFileSync(join(directory, ".miracle/config.yaml"), "limits: [nothing\n");
  const home = join(directory, "home");
  const place = { directory, home, env: { XDG_DATA_HOME: join(home, "data") } };
  expect(await examinePackages(place)).toEqual([]);
});
