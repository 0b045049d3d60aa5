// Bundles src/cli/main.ts into dist/, one chunk per part that is imported lazily, and compiles the shipped YAML beside it.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

const rolldown = await import("rolldown").catch(() => null);
if (rolldown === null) {
  // `npm ci --omit=dev` runs `prepare` too, without the bundler.
  const message = "not built: the development dependencies are missing, run `npm ci`\n";
  process.stderr.write(message);
  process.exit(process.env.npm_lifecycle_event === "prepare" ? 0 : 1);
}

// Built aside and moved in one go: a build that fails or overlaps with another never leaves half a dist/.
const aside = `node_modules/.cache/miracle/new.${process.pid}`;
const old = `node_modules/.cache/miracle/old.${process.pid}`;
mkdirSync("node_modules/.cache/miracle", { recursive: true });
try {
  await bundle(aside);
  await compileConfig(aside);
  moveAside("dist", old);
  renameSync(aside, "dist");
} finally {
  for (const directory of [aside, old]) rmSync(directory, { recursive: true, force: true });
}

async function bundle(directory) {
  const build = await rolldown.rolldown({
    input: { miracle: "src/cli/main.ts" },
    platform: "node",
    transform: { target: "node24" },
    onLog: (level, log, next) => (level === "warn" && log.code === "EVAL" ? undefined : next(level, log)),
  });
  await build.write({
    dir: directory,
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();
}

/** Parsing YAML costs more than all the rest of a start: what ships is parsed here, and used while its text is the same. */
async function compileConfig(directory) {
  const { parse } = await import("yaml");
  const files = readdirSync("config").filter((name) => name.endsWith(".yaml"));
  const compiled = {};
  for (const name of files.sort()) {
    const text = readFileSync(`config/${name}`, "utf8");
    compiled[name] = { text, value: parse(text) };
  }
  writeFileSync(`${directory}/config.json`, JSON.stringify(compiled));
}

function moveAside(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}
