import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/config/package-root.ts";
import { type Measurement, measurement } from "./measurement.ts";

/** What `npm install` brings onto a disk: ours, and Node for machines whose own is too old. */
export const measurePackage = (): Measurement =>
  measurement(["package", "packages"], weigh, (samples) => {
    const { packed = 0, unpacked = 0, node = 0, packages = 0 } = samples.at(-1) ?? {};
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
    return [
      {
        name: "package",
        what: "installed package, without Node",
        value: unpacked / 1e6,
        unit: "MB",
        bar: 15,
        detail: `${megabytes(packed)} MB to download; Node 24 beside it: ${megabytes(node)} MB`,
      },
      {
        name: "packages",
        what: "packages that an install brings",
        value: packages,
        unit: "packages",
        bar: 2,
        detail: "ours, and the one with Node 24",
      },
    ];
  });

async function weigh() {
  const root = packageRoot();
  const args = ["pack", "--dry-run", "--ignore-scripts", "--json"];
  const [found] = JSON.parse(
    execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const node = sizeOf(join(root, "node_modules", `node-${process.platform}-${process.arch}`));
  return {
    packed: Number(found.size),
    unpacked: Number(found.unpackedSize),
    node,
    packages: 1 + Object.keys(dependencies).length + (node > 0 ? 1 : 0),
  };
}

function sizeOf(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}
