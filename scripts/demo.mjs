// One complete goal for real: a recorded model, but a real database, a real sandbox and real tests.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const result = `${root}demo-result`;
const data = `${root}node_modules/.cache/miracle/demo`;
for (const directory of [result, data]) rmSync(directory, { recursive: true, force: true });

const miracle = (...args) =>
  spawnSync(process.execPath, [`${root}bin/miracle.js`, ...args], {
    stdio: "inherit",
    // The system's own Python, as the recording had it: whatever else is on the PATH would only show as drift.
    env: { ...process.env, MIRACLE_HOME: data, PATH: "/usr/bin:/bin" },
  }).status ?? 1;

const status = miracle("replay", "--live", "--dir", result, `${root}cassettes/demo.json`);
if (status === 0) {
  console.log(`
The result is in demo-result/. What you just saw can be looked at again:
  MIRACLE_HOME=${data.slice(root.length)} npx miracle show --last
With a model of your own:
  npx miracle run "Build a CLI that …"`);
}
process.exitCode = status;
