#!/usr/bin/env node
// The door: starts on any Node from 20 on, and loads nothing before it is needed.

// An import of a built-in module would read all its exports, which loads more than we need.
const builtin = process.getBuiltinModule ?? ((name) => import(name));
const { existsSync, readFileSync } = await builtin("node:fs");

const root = new URL("../", import.meta.url);
const first = process.argv[2];

if (first === "--version" || first === "-V") {
  process.stdout.write(`${JSON.parse(readFileSync(new URL("package.json", root), "utf8")).version}\n`);
} else if (Number.parseInt(process.versions.node, 10) < 24) {
  await startAgain();
} else if (existsSync(new URL("dist/miracle.cjs", root))) {
  const { createRequire } = await builtin("node:module");
  const { fileURLToPath } = await builtin("node:url");
  const load = createRequire(import.meta.url)("./load.cjs");
  load(fileURLToPath(new URL("dist", root)), cacheDirectory());
} else {
  stop("miracle is not built yet: run `npm run build` in its directory");
}

/** This Node is too old for us (no node:sqlite): the one that npm installed beside us takes over, and its end is ours. */
async function startAgain() {
  const node = await installedNode();
  if (node === null) {
    const again = `or install miracle again: npm could not bring node-${process.platform}-${process.arch}, which holds it`;
    stop(`miracle needs Node 24 and this is ${process.version}: install Node 24, ${again}`);
    return;
  }
  const { spawn } = await builtin("node:child_process");
  // Before there is a child: a signal must never end us alone.
  let child;
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // Ctrl-C on a terminal reaches the child by itself, and a second one would mean "stop at once": pass it on only elsewhere.
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on("SIGINT", () => {
    if (!onTerminal) child.kill("SIGINT");
  });
  child = spawn(node, process.argv.slice(1), { stdio: "inherit" });
  child.on("error", (error) => stop(`miracle could not start Node 24: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** From an optional dependency, which holds nothing but Node for one kind of machine. */
async function installedNode() {
  const { createRequire } = await builtin("node:module");
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return null;
  }
}

function cacheDirectory() {
  const { XDG_CACHE_HOME, HOME } = process.env;
  if (XDG_CACHE_HOME) return `${XDG_CACHE_HOME}/miracle`;
  return HOME ? `${HOME}/.cache/miracle` : undefined;
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 69;
}
