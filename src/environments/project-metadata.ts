import { z } from "zod";
import type { TreeFiles } from "./environment.ts";
import { readToml } from "./read-toml.ts";
import { setupMetadata } from "./setup-metadata.ts";

/** What an installation would say of a Python project. */
export interface ProjectMetadata {
  name: string;
  /** Null where only a repository knows it: its nearest tag. */
  version: string | null;
  /** In the form of `entry_points.txt`. */
  entryPoints: string;
  /** Files that a build writes the version into, and that no tree has. */
  versionFiles: string[];
}

const Texts = z.record(z.string(), z.string()).catch({});
const Tool = z
  .object({
    hatch: z.object({
      version: z.object({ path: z.string() }).partial().catch({}),
      build: z
        .object({ hooks: z.object({ vcs: z.object({ "version-file": z.string() }).partial() }).partial() })
        .partial()
        .catch({}),
    }),
    setuptools: z.object({
      dynamic: z
        .object({ version: z.object({ attr: z.string() }).partial() })
        .partial()
        .catch({}),
    }),
    setuptools_scm: z.object({ write_to: z.string(), version_file: z.string() }).partial().catch({}),
    poetry: z.object({ name: z.string(), version: z.string(), scripts: Texts }).partial(),
  })
  .partial();
const Pyproject = z.object({
  project: z
    .object({
      name: z.string(),
      version: z.string(),
      scripts: Texts,
      "gui-scripts": Texts,
      "entry-points": z.record(z.string(), Texts).catch({}),
    })
    .partial()
    .catch({})
    .default({}),
  tool: Tool.catch({}).default({}),
});

/** Null where no manifest names the project. */
export function projectMetadata({ read }: TreeFiles): ProjectMetadata | null {
  const { project, tool } = Pyproject.safeParse(readToml(read("pyproject.toml") ?? "")).data ?? {
    project: {},
    tool: {},
  };
  const setup = setupMetadata(read);
  const name = project.name ?? tool.poetry?.name ?? setup.name;
  if (name === undefined || !/^[A-Za-z0-9][\w.-]*$/.test(name)) return null;
  const groups = {
    ...setup.entryPoints,
    ...project["entry-points"],
    console_scripts: { ...setup.entryPoints.console_scripts, ...project.scripts, ...tool.poetry?.scripts },
    gui_scripts: project["gui-scripts"] ?? {},
  };
  const scm = tool.setuptools_scm;
  const written = [tool.hatch?.build?.hooks?.vcs?.["version-file"], scm?.version_file, scm?.write_to];
  const stated = project.version ?? tool.poetry?.version ?? setup.version;
  // `attr: module.name` and its like point to the code.
  const version = stated !== undefined && VERSION.test(stated) ? stated : statedVersion(name, tool, read);
  return {
    name,
    version: version !== null && VERSION.test(version) ? version : null,
    entryPoints: Object.entries(groups)
      .filter(([, entries]) => Object.keys(entries).length > 0)
      .map(([group, entries]) => `[${group}]\n${asLines(entries)}`)
      .join("\n"),
    versionFiles: [...new Set(written.flatMap((path) => path ?? []))].filter(
      (path) => /^[\w./-]+\.py$/.test(path) && !path.split("/").includes("..") && read(path) === null,
    ),
  };
}

const VERSION = /^\d[\w.!+-]*$/;

const asLines = (entries: Record<string, string>): string =>
  Object.entries(entries)
    .filter(([name, target]) => !/[\n\r]/.test(name + target))
    .map(([name, target]) => `${name} = ${target}\n`)
    .join("");

/** A version that the code states and the manifest only points to. */
function statedVersion(name: string, tool: z.infer<typeof Tool>, read: TreeFiles["read"]): string | null {
  const attribute = tool.setuptools?.dynamic?.version?.attr?.split(".").slice(0, -1).join("/");
  const module = name.replaceAll("-", "_").replaceAll(".", "/");
  const places = [attribute, module].flatMap((path) =>
    path === undefined ? [] : [`${path}.py`, `${path}/__init__.py`, `src/${path}.py`, `src/${path}/__init__.py`],
  );
  for (const path of [tool.hatch?.version?.path, ...places]) {
    const text = path === undefined ? null : read(path);
    const found = /^(?:__version__|VERSION|version)\s*(?::\s*\w+\s*)?=\s*["']([^"']+)["']/m.exec(text ?? "")?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/** The file that a build of the project would write, for both ways in which projects read it. */
export function versionFile(version: string): string {
  const parts = version.split(/[.+!-]/).map((part) => (/^\d+$/.test(part) ? part : JSON.stringify(part)));
  return [
    "# In place of the file that a build of this project writes.",
    `__version__ = version = ${JSON.stringify(version)}`,
    `__version_tuple__ = version_tuple = (${parts.join(", ")},)`,
    "__commit_id__ = commit_id = None",
    "",
  ].join("\n");
}
