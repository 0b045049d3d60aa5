import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Toolchain } from "../languages/language.ts";
import { removeTree } from "../workspace/remove-tree.ts";
import type { ProjectMetadata } from "./project-metadata.ts";

/** Where the metadata of the project itself appears. */
const PLACE = "/opt/project/site-packages";

/**
 * The tools, with a project that seems to be installed from where it stands: `importlib.metadata` finds its version and its
 * entry points, as after `pip install -e .`. Its build never runs.
 */
export function withProject(
  toolchain: Toolchain,
  { name, entryPoints }: ProjectMetadata,
  version: string,
  root: string,
  now: number,
): Toolchain {
  const from = writeMetadata({ name, entryPoints }, version, root, now);
  return {
    ...toolchain,
    mounts: [...toolchain.mounts, { from, to: PLACE }],
    env: {
      ...toolchain.env,
      PYTHONPATH: [toolchain.env.PYTHONPATH, PLACE].filter((path) => path !== undefined).join(":"),
      // For tools that ask a repository: there is none where code runs.
      SETUPTOOLS_SCM_PRETEND_VERSION: version,
    },
  };
}

/** Written once for each content. */
function writeMetadata(
  { name, entryPoints }: Pick<ProjectMetadata, "name" | "entryPoints">,
  version: string,
  root: string,
  now: number,
): string {
  const metadata = `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`;
  const hash = createHash("sha256").update(`${metadata}\0${entryPoints}`).digest("hex").slice(0, 16);
  const directory = join(root, `project-${hash}`);
  if (existsSync(directory)) {
    utimesSync(directory, now / 1000, now / 1000);
    return directory;
  }
  const draft = `${directory}.${process.pid}.part`;
  const info = join(draft, `${name.replaceAll(/[-.]+/g, "_")}-${version}.dist-info`);
  mkdirSync(info, { recursive: true });
  writeFileSync(join(info, "METADATA"), metadata);
  writeFileSync(join(info, "INSTALLER"), "miracle\n");
  if (entryPoints !== "") writeFileSync(join(info, "entry_points.txt"), entryPoints);
  try {
    renameSync(draft, directory);
  } catch (error) {
    removeTree(draft);
    if (!existsSync(directory)) throw error;
  }
  return directory;
}
