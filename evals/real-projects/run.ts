// Sets real projects up by what the product does alone, and compares their suites inside and outside of its sandbox.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadConfig } from "../../src/config/load-config.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { removeTree } from "../../src/workspace/remove-tree.ts";
import { Miracle } from "../verdicts/miracle.ts";
import { cleanCheckout, type Measured, measureProject } from "./measure-project.ts";
import { withMeasuringParts } from "./measuring-parts.ts";
import { pageOf } from "./page.ts";
import { serveWheels } from "./wheel-index.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "string", default: join(import.meta.dirname, "projects.txt") },
    under: { type: "string", multiple: true, default: [] },
    only: { type: "string" },
    out: { type: "string" },
    page: { type: "string" },
    data: { type: "string" },
    wheels: { type: "string" },
    "house-mirror": { type: "boolean", default: false },
    minutes: { type: "string", default: "10" },
  },
});

interface Wanted {
  project: string;
  commit: string;
  source: string | null;
}

const listed: Wanted[] = readFileSync(values.list, "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, project, commit] = /^([\w.-]+\/[\w.-]+)\s+([0-9a-f]{7,40})/.exec(line) ?? [];
    return project === undefined || commit === undefined ? [] : [{ project, commit, source: sourceOf(project) }];
  });
const folders = positionals.map((source) => ({ project: source.split("/").at(-1) ?? source, commit: "HEAD", source }));
const wanted = (positionals.length > 0 ? folders : listed).filter(
  ({ project }) => values.only === undefined || project.includes(values.only),
);

/** `owner+name/repo`, `owner/name` or `name`, below one of the folders. */
function sourceOf(project: string): string | null {
  const [owner = "", name = ""] = project.split("/");
  const places = values.under.flatMap((root) =>
    [`${owner}+${name}/repo`, project, name].map((path) => join(root, path)),
  );
  return places.find((path) => existsSync(join(path, "HEAD")) || existsSync(join(path, ".git"))) ?? null;
}

const done: Measured[] =
  values.out !== undefined && existsSync(values.out)
    ? readFileSync(values.out, "utf8")
        .split("\n")
        .flatMap((line): Measured[] => (line === "" ? [] : [JSON.parse(line)]))
    : [];
const scratch = mkdtempSync(join(tmpdir(), "real-projects-"));
const data = values.data ?? join(scratch, "data");
const wheels = values.wheels === undefined ? null : await serveWheels(values.wheels);
const places = { houseMirror: values["house-mirror"], wheels: wheels?.port ?? null };
const { settings } = await loadConfig({ directory: scratch, env: {}, home: scratch, root: packageRoot() });
for (const { project, commit, source } of wanted) {
  if (done.some((one) => one.project === project && one.commit === commit)) continue;
  const result = source === null ? missing() : await measure(source, commit);
  const measured = { project, commit, ...result };
  done.push(measured);
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(measured)}\n`, { flag: "a" });
  console.log(JSON.stringify(measured));
}
removeTree(scratch);
await wheels?.[Symbol.asyncDispose]();
const { commit } = new Miracle(packageRoot(), false);
const page = pageOf(done, commit, new Date().toISOString().slice(0, 10));
if (values.page !== undefined) writeFileSync(values.page, page);
else console.log(page);

async function measure(source: string, commit: string): Promise<Omit<Measured, "project" | "commit">> {
  const directory = join(scratch, "project");
  removeTree(directory);
  try {
    cleanCheckout(source, commit, directory);
    return await withMeasuringParts(settings, data, places, (parts) =>
      measureProject(parts, directory, Number(values.minutes)),
    );
  } catch (error) {
    return { ...missing(), cause: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
  }
}

function missing(): Omit<Measured, "project" | "commit"> {
  const counts = { inside: null, outside: null, ended: false, outsideExit: null };
  return { kind: "", packages: "", setUpSeconds: 0, seconds: 0, ...counts, cause: "not found here" };
}
