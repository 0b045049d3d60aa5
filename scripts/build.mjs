// Bundles src/cli/main.ts into dist/, one chunk per part that is imported lazily, and compiles the shipped YAML beside it.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildWeb } from "./build-web.mjs";

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
  await buildWeb(rolldown, `${aside}/web`);
  await checkTemplates();
  writeFileSync(`${aside}/build-id`, identify(aside));
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
    plugins: [{ name: "miracle", load: readyToolSchemas, renderChunk: requireBuiltins }],
    onLog: (level, log, next) => (level === "warn" && log.code === "EVAL" ? undefined : next(level, log)),
  });
  await build.write({
    dir: directory,
    // What bin/load.cjs reads. Also, an ES import of a built-in module reads every one of its exports once: of `node:http`
    // that loads all of undici, 25 ms for nothing.
    format: "cjs",
    // Read and compiled twice as fast: see bin/load.cjs.
    charset: "ascii",
    strict: true,
    minify: true,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    // Opening a file costs more than reading it: all that a run needs up to its first request is one chunk.
    codeSplitting: {
      groups: [{ name: "run", test: /src\/(cli\/commands\/run|app|llm\/providers\/openai-compatible)\.ts$/ }],
    },
  });
  await build.close();
}

/** What a model is shown of our tools does not change from run to run: it is made here, and not at every start. */
async function readyToolSchemas(id) {
  // An older Node cannot read our sources; there they are made at the start, as in the tests.
  if (!id.endsWith("/src/agents/tool-schemas.ts") || Number.parseInt(process.versions.node, 10) < 24) return null;
  const { toolSchemas } = await import("../src/agents/tool-schemas.ts");
  const { Role } = await import("../src/domain/message.ts");
  const schemas = Object.fromEntries(Role.options.map((role) => [role, toolSchemas(role)]));
  const code = `const schemas = ${JSON.stringify(schemas)};\nexport const toolSchemas = (role) => schemas[role];`;
  return { code, moduleType: "js" };
}

/** The one thing that the bundler leaves as an import, which a script cannot do. */
function requireBuiltins(code) {
  return code.replace(/\bimport\((["'`])(node:[\w/]+)\1\)/g, 'Promise.resolve(require("$2"))');
}

/** Parsing YAML costs more than all the rest of a start: what ships is parsed here, and used while its text is the same. */
async function compileConfig(directory) {
  const { parse } = await import("yaml");
  const compile = (file) => {
    const text = readFileSync(file, "utf8");
    return { text, value: parse(text) };
  };
  const yamlIn = (folder) => readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  const config = Object.fromEntries(
    yamlIn("config")
      .sort()
      .map((name) => [name, compile(`config/${name}`)]),
  );
  writeFileSync(`${directory}/config.json`, JSON.stringify(config));
  // Needed later and not all of it: a file each.
  for (const name of yamlIn("config/safety")) {
    const file = `${directory}/safety-${name.replace(/\.yaml$/, ".json")}`;
    writeFileSync(file, JSON.stringify(compile(`config/safety/${name}`)));
  }
}

/** A template that does not hold is a broken build, and no surprise for whoever uses it. */
async function checkTemplates() {
  if (Number.parseInt(process.versions.node, 10) < 24) return;
  const { listTemplates, templatePlaces } = await import("../src/config/templates.ts");
  listTemplates(templatePlaces(root, []));
}

/** The name of exactly these files: code that was compiled from others must not be taken for theirs. */
function identify(directory) {
  const hash = createHash("sha256");
  const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const name of files.map((entry) => entry.name).sort()) {
    const bytes = readFileSync(`${directory}/${name}`);
    if (name.endsWith(".cjs") && bytes.some((byte) => byte > 127)) throw new Error(`${name} is not plain ASCII`);
    hash.update(name).update(bytes);
  }
  return hash.digest("hex").slice(0, 16);
}

function moveAside(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}
