import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCRATCH_NAMES } from "../src/languages/javascript/find-node.ts";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import type { Mount } from "../src/sandbox/sandbox.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";

const RUNS = 5;
const PACKAGES = 400;
const LIMITS = { cpus: 1, memoryMb: 1024, pids: 128, diskMb: 512, timeoutMs: 60_000, outputBytes: 64_000 };

/** The shortest command in the sandbox, with the packages of an environment beside it and without. */
export const measureEnvironment = (place: Place): Measurement => {
  const sandbox = openSandbox({ backend: "bubblewrap" });
  const workspace = place.openDirectory("environment-workspace");
  const identity = droppedIdentity();
  if (identity) chownSync(workspace, identity.uid, identity.gid);
  const mounts: Mount[] = [
    { from: packagesIn(place.openDirectory("environment")), to: "/workspace/node_modules", scratch: SCRATCH_NAMES },
  ];
  const run = async (shown: Mount[]): Promise<number> => {
    const start = performance.now();
    const command = { argv: ["true"], workspace, mounts: shown };
    const { exitCode, stderr } = await sandbox.run(command, LIMITS, new AbortController().signal);
    if (exitCode !== 0) throw new Error(`\`true\` failed in the sandbox: ${stderr}`);
    return performance.now() - start;
  };
  return measurement(
    ["environment"],
    async () => {
      const [housed, bare]: [number[], number[]] = [[], []];
      for (let count = 0; count < RUNS; count += 1) {
        bare.push(await run([]));
        housed.push(await run(mounts));
      }
      return { housed: median(housed), bare: median(bare) };
    },
    (samples) => {
      const [housed, bare] = [samples.map((one) => one.housed), samples.map((one) => one.bare)].map(median);
      return [
        {
          name: "environment",
          what: "`true` in an environment ÷ without",
          value: median(samples.map((one) => one.housed / one.bare)),
          unit: "×",
          bar: 1.2,
          detail: `${housed?.toFixed(1)} ms with ${PACKAGES} packages, ${bare?.toFixed(1)} ms without`,
        },
      ];
    },
  );
};

/** As a recipe leaves it: packages, and the directories that tools write to. */
function packagesIn(directory: string): string {
  for (let count = 0; count < PACKAGES; count += 1) {
    mkdirSync(join(directory, `package-${count}`));
    writeFileSync(join(directory, `package-${count}`, "package.json"), `{"name":"package-${count}"}\n`);
  }
  for (const name of SCRATCH_NAMES) mkdirSync(join(directory, name));
  return directory;
}
