// Bundles src/cli/main.ts into dist/, one chunk per part that is imported lazily, and compiles the shipped YAML beside it.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { buildWeb } from "./build-web.mjs";
import { writeNotices } from "./notices.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

const TREE_SITTER = `${root}node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter.js`;
const LOADED_LATER = ["acorn", "pg"];
/** A package asks for these and goes on without them. */
const TRIED_ONLY = new Set(["pg-native", "@node-rs/xxhash", "@opentelemetry/api"]);

const rolldown = await import("rolldown").catch(() => null);
if (rolldown === null) {
  process.stderr.write("not built: the development dependencies are missing, run `npm ci`\n");
  process.exit(1);
}

// Built aside and moved in one go: a build that fails or overlaps with another never leaves half a dist/.
const aside = `node_modules/.cache/miracle/new.${process.pid}`;
const old = `node_modules/.cache/miracle/old.${process.pid}`;
mkdirSync("node_modules/.cache/miracle", { recursive: true });
try {
  const bundled = await bundle(aside);
  copyGrammars(`${aside}/grammars`);
  await compileConfig(aside);
  const inPage = await buildWeb(rolldown, `${aside}/web`);
  writeNotices(`${aside}/THIRD_PARTY_NOTICES`, [...bundled, ...inPage, TREE_SITTER]);
  await writeManPage(`${aside}/miracle.1`);
  await checkTemplates();
  writeFileSync(`${aside}/build-id`, identify(aside));
  moveAside("dist", old);
  renameSync(aside, "dist");
} finally {
  for (const directory of [aside, old]) rmSync(directory, { recursive: true, force: true });
}

async function bundle(directory) {
  const build = await rolldown.rolldown({
    input: { miracle: "src/cli/main.ts", ...Object.fromEntries(LOADED_LATER.map((name) => [name, name])) },
    platform: "node",
    transform: { target: "node24" },
    // What our sources load by name is a file of its own; what a package needs is bundled with it.
    external: (id, importer) => LOADED_LATER.includes(id) && importer?.startsWith(`${root}src/`) === true,
    plugins: [
      {
        name: "miracle",
        resolveId: withoutAjv,
        load: readyToolSchemas,
        transform: nameOwnFiles,
        renderChunk: requireBuiltins,
      },
    ],
    onLog: (level, log, next) => (level === "warn" && log.code === "EVAL" ? undefined : next(level, log)),
  });
  const { output } = await build.write({
    dir: directory,
    // What bin/load.cjs reads. Also, an ES import of a built-in module reads every one of its exports once: of `node:http`
    // that loads all of undici, 25 ms for nothing.
    format: "cjs",
    exports: "named",
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
  const chunks = output.filter(({ type }) => type === "chunk");
  checkSelfContained(chunks);
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

/** Our sources load these when they are first needed, by `createRequire`: in the bundle they are files beside it. */
function nameOwnFiles(code, id) {
  if (!id.startsWith(`${root}src/`)) return null;
  return code
    .replaceAll(/createRequire\(import\.meta\.filename\)\("([\w-]+)"\)/g, 'require("$1")')
    .replaceAll('load.resolve("@vscode/tree-sitter-wasm")', 'load.resolve("./grammars/tree-sitter.cjs")');
}

/** The SDK of MCP brings a large validator of JSON Schema, of which `src/mcp/serve.ts` has no need: it stays out. */
function withoutAjv(id) {
  return id === "@modelcontextprotocol/server/_shims" ? `${root}scripts/mcp-shims.mjs` : null;
}

/** The parser and the grammars that `src/syntax/parse.ts` names: 4 of the 21 MB of their package. */
function copyGrammars(directory) {
  mkdirSync(directory);
  copyFileSync(TREE_SITTER, `${directory}/tree-sitter.cjs`);
  const names = ["", "-python", "-javascript", "-typescript", "-tsx", "-go"].map((name) => `tree-sitter${name}.wasm`);
  for (const name of names) copyFileSync(`${dirname(TREE_SITTER)}/${name}`, `${directory}/${name}`);
}

/** Who installs the package gets no other one: whatever a chunk loads is Node's or stands beside it. */
function checkSelfContained(chunks) {
  const own = new Set(chunks.map(({ fileName }) => fileName));
  for (const { fileName, imports, dynamicImports, code } of chunks) {
    const required = [...code.matchAll(/\brequire\((["'`])([@\w./:-]+)\1\)/g)].map((match) => match[2]);
    for (const name of [...imports, ...dynamicImports, ...required]) {
      const found = own.has(name.replace("./", "")) || name.startsWith("node:") || isBuiltin(name);
      if (!found && !TRIED_ONLY.has(name)) throw new Error(`${fileName} needs ${name}, which would not be installed`);
    }
  }
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

/** What the bundler leaves and a script of ours cannot do: imports of built-in modules, packages by their names. */
function requireBuiltins(code) {
  return code
    .replace(/\bimport\((["'`])(node:[\w/]+)\1\)/g, 'Promise.resolve(require("$2"))')
    .replace(/\brequire\((["'`])([\w-]+)\1\)/g, (call, _, id) =>
      LOADED_LATER.includes(id) ? `require("./${id}.cjs")` : call,
    );
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

async function writeManPage(file) {
  if (Number.parseInt(process.versions.node, 10) < 24) return;
  const { wholeProgram } = await import("../src/cli/command-line.ts");
  const { manPage } = await import("../src/cli/text/man-page.ts");
  const { stdin: input, stdout: output, stderr: error } = process;
  const program = await wholeProgram({ input, output, error, env: {}, directory: root, home: root });
  writeFileSync(file, manPage(program, JSON.parse(readFileSync("package.json", "utf8")).version));
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
