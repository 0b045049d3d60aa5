// Runs the program that the build put into dist/.
//
// Most of a start is compiling. So the compiled code is kept between runs: taken when a run ends well, it holds every
// function such a run calls. (Node's own compile cache takes it before the first call, and every function is compiled
// again.) It is kept per build and command, and read only where nobody else can write.
"use strict";

const fs = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

const KEPT_BUILDS = 4;

/** `cache` may be undefined: then everything is compiled anew. */
module.exports = function load(dist, cache) {
  const kept = cache && join(cache, fs.readFileSync(join(dist, "build-id"), "latin1"), commandName());
  const readable = kept !== undefined && isOurs(kept);
  const foreign = createRequire(join(dist, "miracle.cjs"));
  const modules = new Map();
  const fresh = [];

  function open(name) {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const script = compile(name);
    script.runInThisContext()(module.exports, resolve, module, join(dist, name), dist);
    return module.exports;
  }

  function compile(name) {
    const filename = join(dist, name);
    // The build writes plain ASCII, and a character of one byte is half the work for all that follows.
    const source = fs.readFileSync(filename, "latin1");
    const cachedData = readable ? readOr(join(kept, name)) : undefined;
    const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
    const script = new Script(wrapped, { filename, cachedData });
    if (cachedData === undefined || script.cachedDataRejected) fresh.push({ name, script });
    return script;
  }

  function resolve(id) {
    return id.startsWith("./") ? open(id.slice(2)) : (process.getBuiltinModule(id) ?? foreign(id));
  }

  process.on("exit", (code) => {
    if (code === 0 && kept !== undefined && fresh.length > 0) keep(kept, fresh);
  });
  open("miracle.cjs");
};

/** Different commands call different functions. */
function commandName() {
  const word = process.argv[2] ?? "";
  return /^[a-z]{1,20}$/.test(word) ? word : "other";
}

/** Compiled code is code: where others can write, or as root in a user's home, it is not trusted. */
function isOurs(directory) {
  try {
    const stats = fs.statSync(directory);
    return stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
  } catch {
    // Not there yet, or somebody else's: root may have run here with this home.
    return false;
  }
}

function readOr(path) {
  try {
    return fs.readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Flushed before it gets its name: V8 believes what it finds there. Whatever goes wrong, the next run compiles again. */
function keep(directory, fresh) {
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (!isOurs(directory)) return;
    for (const { name, script } of fresh) {
      const temporary = join(directory, `${name}.${process.pid}`);
      fs.writeFileSync(temporary, script.createCachedData(), { flag: "wx", mode: 0o600, flush: true });
      fs.renameSync(temporary, join(directory, name));
    }
    forgetOldBuilds(dirname(dirname(directory)));
  } catch {
    // A full disk or a home that cannot be written to: no reason to fail.
  }
}

function forgetOldBuilds(cache) {
  const builds = fs.readdirSync(cache).filter((name) => /^[0-9a-f]{16}$/.test(name));
  const newest = builds.map((name) => ({ path: join(cache, name), time: fs.statSync(join(cache, name)).mtimeMs }));
  newest.sort((a, b) => b.time - a.time);
  for (const { path } of newest.slice(KEPT_BUILDS)) fs.rmSync(path, { recursive: true, force: true });
}
