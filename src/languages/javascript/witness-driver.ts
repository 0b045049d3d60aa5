import { EXPECT_STAND_INS } from "./witness-expect.ts";

/**
 * Runs tests as a script of a person's would call the code: no test runner is loaded, and the code under test finds none.
 * 1. The text of the tests comes with the order; where code could look for it there is no file.
 * 2. Test files get stand-ins for what they import from their runner; the code imports as always.
 * 3. Every test runs twice in this process, the second time in the opposite order; the code is loaded once.
 * 4. What our stand-ins cannot do is told as that, never as a failure of the code.
 */
const DRIVER = String.raw`
import assert from "node:assert";
import { existsSync, readFileSync, statSync, unlinkSync, writeSync } from "node:fs";
import { createRequire, registerHooks, stripTypeScriptTypes } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { format, inspect } from "node:util";

const own = import.meta.url;
const ROOT = process.cwd();
const state = { order: 0, assertions: 0, planned: null, some: false, mocks: [], lacking: null, stray: null, suite: null, tests: [] };

class Lacking extends Error {}
function lack(what) {
  state.lacking ??= what;
  throw new Lacking(what);
}
const lackingBeyond = (name, known) => new Proxy(known, {
  get: (target, key) => typeof key === "symbol" || key === "then" || key in target ? target[key] : lack(name + "." + key),
});

${EXPECT_STAND_INS}

class Suite {
  constructor(name, parent, options) {
    this.name = name;
    this.parent = parent;
    this.skipped = parent?.skipped === true || options?.skip === true;
    this.hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
    this.left = 0;
    this.begun = null;
  }
  get line() {
    return this.parent ? [...this.parent.line, this] : [this];
  }
}

const named = (args) => {
  const name = typeof args[0] === "string" ? args[0] : args[0]?.name;
  const fn = args.find((one) => typeof one === "function");
  const options = args.find((one) => isObject(one)) ?? {};
  return { name: typeof args[0] === "function" && args[0] === fn && typeof args[0] !== "string" ? fn.name || "<anonymous>" : String(name ?? "<anonymous>"), fn, options };
};

function filled(name, row, at) {
  const values = Array.isArray(row) ? row : [row];
  let next = 0;
  let text = name.replaceAll("%%", "\0").replace(/%[sdifjoOpc#$]/g, (sign) => {
    if (sign === "%#") return String(at);
    if (sign === "%$") return String(at + 1);
    if (next >= values.length) return sign;
    const value = values[next++];
    return sign === "%p" ? inspect(value) : format(sign, value);
  }).replaceAll("\0", "%");
  if (isObject(row) && !Array.isArray(row)) {
    text = text.replace(/\$([\w.]+)/g, (sign, path) => {
      const found = propertyOf(row, path);
      return !found.has ? sign : typeof found.value === "string" ? found.value : inspect(found.value);
    });
  }
  return text;
}

function rowsOf(table, values) {
  if (!Array.isArray(table) || !("raw" in table)) return [...table];
  const names = table[0].trim().split("|").map((one) => one.trim());
  const rows = [];
  for (let at = 0; at < values.length; at += names.length) {
    rows.push(Object.fromEntries(names.map((name, index) => [name, values[at + index]])));
  }
  return rows;
}

function flavour(kind) {
  const register = (args, extra = {}) => {
    const { name, fn, options } = named(args);
    const suite = state.suite;
    state.tests.push({ suite, name, fn, kind, skip: !fn || suite.skipped || Boolean(options.skip) || Boolean(options.todo) || extra.skip, ...extra });
    return kind === "node" ? Promise.resolve() : undefined;
  };
  const group = (args, extra = {}) => {
    const { name, fn, options } = named(args);
    const outer = state.suite;
    state.suite = new Suite(name, outer, { skip: options.skip || extra.skip });
    try {
      const made = fn?.(kind === "node" ? { name } : undefined);
      if (made instanceof Promise) made.catch(() => {});
    } finally {
      state.suite = outer;
    }
    return kind === "node" ? Promise.resolve() : undefined;
  };
  const eachOf = (make) => (table, ...values) => (name, fn) => {
    rowsOf(table, values).forEach((row, at) => make([filled(String(name), row, at), () => fn(...(Array.isArray(row) ? row : [row]))], { plain: true }));
  };
  const forOf = (make) => (rows) => (name, fn) => rows.forEach((row, at) => make([filled(String(name), row, at), () => fn(row)], { plain: true }));
  const variants = (make) => {
    const call = (...args) => make(args);
    return Object.assign(call, {
      skip: Object.assign((...args) => make(args, { skip: true }), { each: () => () => {} }),
      todo: (...args) => make(args, { skip: true }),
      skipIf: (condition) => condition ? (...args) => make(args, { skip: true }) : call,
      runIf: (condition) => condition ? call : (...args) => make(args, { skip: true }),
      each: eachOf(make),
      for: forOf(make),
      only: Object.assign((...args) => make(args), { each: eachOf(make) }),
      concurrent: Object.assign((...args) => make(args), { each: eachOf(make) }),
      sequential: (...args) => make(args),
    });
  };
  const test = variants(register);
  const describe = variants(group);
  const hook = (name) => (...args) => void state.suite.hooks[name].push(args.find((one) => typeof one === "function"));
  const hooks = {
    before: hook("before"), after: hook("after"), beforeAll: hook("before"), afterAll: hook("after"),
    beforeEach: hook("beforeEach"), afterEach: hook("afterEach"), setup: hook("beforeEach"), teardown: hook("afterEach"),
    suiteSetup: hook("before"), suiteTeardown: hook("after"),
  };
  const all = {
    test, it: test, describe, suite: describe, context: describe, specify: test, fit: test.only, fdescribe: describe.only,
    xit: test.skip, xtest: test.skip, xdescribe: describe.skip, ...hooks,
    expect: kind === "node" ? undefined : expect, vi: mocking, vitest: mocking, jest: mocking, assert,
    mock: nodeMocks(), only: test.only, skip: test.skip, todo: test.todo, expectTypeOf: typesOnly, assertType: () => {},
  };
  return Object.assign(test, all);
}
/** Types are nothing at run time. */
const typesOnly = () => new Proxy(() => typesOnly(), { get: (_, key) => (key === "then" ? undefined : typesOnly()) });

export const flavours = { node: flavour("node"), jest: flavour("jest"), vitest: flavour("vitest"), mocha: flavour("mocha") };
const NAMES = {
  node: ["test", "it", "describe", "suite", "before", "after", "beforeEach", "afterEach", "mock", "only", "skip", "todo"],
  jest: ["test", "it", "describe", "fit", "xit", "xtest", "xdescribe", "fdescribe", "beforeAll", "afterAll", "beforeEach", "afterEach", "expect", "jest"],
  vitest: ["test", "it", "describe", "suite", "beforeAll", "afterAll", "beforeEach", "afterEach", "expect", "vi", "vitest", "assert", "expectTypeOf", "assertType"],
  mocha: ["describe", "it", "before", "after", "beforeEach", "afterEach", "context", "specify", "suite", "test", "setup", "teardown"],
};
const RUNNERS = { "node:test": "node", vitest: "vitest", "@jest/globals": "jest", mocha: "mocha", "vite-plus/test": "vitest" };
const GLOBALS = [...new Set(["jest", "vitest", "mocha"].flatMap((kind) => NAMES[kind]))].filter((name) => name !== "assert");

/** Files of the tests, as they are loaded: URL to text. */
const sources = new Map();
const belongsToTests = (url) => {
  const bare = url?.replace(/[?#].*$/, "");
  if (!bare?.startsWith("file:")) return false;
  if (sources.has(url) || sources.has(bare)) return true;
  const path = fileURLToPath(bare).slice(ROOT.length);
  return !path.includes("/node_modules/") && (/\.(test|spec)\.[cm]?[jt]sx?$/.test(path) || /\/(tests?|__tests__|spec|__mocks__)\//.test(path));
};

/** Where the stand-ins of a kind seem to be: no such file is there. */
const placeOf = (kind) => own.replace(/\.mjs$/, "-" + kind + ".mjs");

const TRIED = [".js", ".ts", ".mjs", ".cjs", ".json", "/index.js", "/index.ts"];
function nearby(specifier, parent) {
  if (!/^\.\.?\//.test(specifier) || !parent?.startsWith("file:")) return null;
  const base = fileURLToPath(new URL(specifier, parent));
  const typed = base.replace(/\.js$/, ".ts");
  const found = [typed, ...TRIED.map((ending) => base + ending)].find((path) => path !== base && existsSync(path) && statSync(path).isFile());
  return found ? pathToFileURL(found).href : null;
}

/** Node leaves types out; other runners also make code of enums and parameter properties. */
function untyped(loaded) {
  if (!loaded.format?.endsWith("-typescript")) return loaded;
  const text = String(loaded.source);
  try {
    stripTypeScriptTypes(text);
    return loaded;
  } catch {
    return { ...loaded, format: loaded.format.replace("-typescript", ""), source: stripTypeScriptTypes(text, { mode: "transform" }) };
  }
}

function install() {
  registerHooks({
    resolve(specifier, context, next) {
      if (sources.has(specifier)) return { url: specifier, shortCircuit: true };
      const path = specifier.startsWith("/") ? pathToFileURL(specifier).href : "";
      if (sources.has(path)) return { url: path, shortCircuit: true };
      // No such file is there any more: it is loaded.
      const ours = [own, ...Object.keys(NAMES).map(placeOf)].find((url) => url === specifier || url === path);
      if (ours) return { url: ours, format: "module", shortCircuit: true };
      const kind = Object.hasOwn(RUNNERS, specifier) ? RUNNERS[specifier] : undefined;
      if (kind && belongsToTests(context.parentURL)) return { url: placeOf(kind), format: "module", shortCircuit: true };
      try {
        return next(specifier, context);
      } catch (error) {
        // As bundlers and Babel's users write it.
        const url = ["ERR_MODULE_NOT_FOUND", "ERR_UNSUPPORTED_DIR_IMPORT", "MODULE_NOT_FOUND"].includes(error.code) ? nearby(specifier, context.parentURL) : null;
        if (!url) throw error;
        return { url, shortCircuit: true };
      }
    },
    load(url, context, next) {
      const kind = Object.keys(NAMES).find((one) => placeOf(one) === url);
      if (kind) {
        const names = NAMES[kind].map((name) => "export const " + name + " = f." + name + ";").join("\n");
        const source = "import { flavours } from " + JSON.stringify(own) + ";\nconst f = flavours." + kind + ";\n" + names + "\nexport default f;\nexport { f as 'module.exports' };\n";
        return { format: "module", source, shortCircuit: true };
      }
      const found = sources.get(url);
      if (found) return { ...untyped(found), shortCircuit: true };
      const loaded = next(url, context);
      return url.includes("/node_modules/") ? loaded : untyped(loaded);
    },
  });
}

function formatOf(path, text) {
  const ending = extname(path);
  const typed = /ts$/.test(ending) ? "-typescript" : "";
  if (/^\.m/.test(ending)) return "module" + typed;
  if (/^\.c/.test(ending)) return "commonjs" + typed;
  if (/x$/.test(ending)) return lack("a language that Node does not run");
  for (let place = dirname(join(ROOT, path)); place.startsWith(ROOT); place = dirname(place)) {
    const manifest = join(place, "package.json");
    if (!existsSync(manifest)) continue;
    const { type } = JSON.parse(readFileSync(manifest, "utf8"));
    if (type === "module") return "module" + typed;
    break;
  }
  return (/^\s*(import\s*[\w{*"']|export\s)/m.test(text) ? "module" : "commonjs") + typed;
}

/** Names that are there without an import, for the test file alone. */
function withGlobals(text, isModule, avoided) {
  const declared = (name) => new RegExp("(^|\\n)\\s*import\\s[^;'\"]*\\b" + name + "\\b|\\b(const|let|var|function|class)\\s+(\\{[^}]*\\b" + name + "\\b[^}]*\\}|" + name + "\\b)").test(text);
  const names = GLOBALS.filter((name) => !avoided.has(name) && new RegExp("\\b" + name + "\\b").test(text) && !declared(name));
  if (names.length === 0) return text;
  const list = names.join(", ");
  const kind = /\bvi\b/.test(text) ? "vitest" : "jest";
  return isModule
    ? "import own__stand_ins from " + JSON.stringify(placeOf(kind)) + "; const { " + list + " } = own__stand_ins; " + text
    : "const { " + list + " } = require(" + JSON.stringify(fileURLToPath(placeOf(kind))) + "); " + text;
}

async function load(file, turn, plain) {
  const { path, content } = file;
  const isModule = formatOf(path, content).startsWith("module");
  const told = plain && !/import\.meta\.(url|filename)|__filename/.test(content) && !content.includes(basename(path))
    ? join(ROOT, dirname(path), "notes" + file.number + extname(path))
    : join(ROOT, path);
  const url = pathToFileURL(told).href + (isModule ? "?" + turn : "");
  const avoided = new Set();
  for (;;) {
    const root = new Suite("", null);
    state.suite = root;
    state.tests = [];
    sources.set(url, { format: formatOf(path, content), source: withGlobals(content, isModule, avoided) });
    try {
      if (isModule) await import(url + (avoided.size > 0 ? "&" + avoided.size : ""));
      else {
        const require = createRequire(own);
        delete require.cache[told];
        require(told);
      }
      return { root, tests: state.tests };
    } catch (error) {
      const again = /Identifier '(\w+)' has already been declared/.exec(error?.message ?? "")?.[1];
      if (!again || avoided.has(again)) throw error;
      avoided.add(again);
      sources.set(url + "&" + avoided.size, { format: formatOf(path, content), source: withGlobals(content, isModule, avoided) });
    }
  }
}

const pathOf = ({ suite, name }) => [...suite.line.map((one) => one.name), name].filter((one) => one !== "").join(" > ");

function describeError(error) {
  const text = isObject(error) && "stack" in error ? String(error.stack) : String(error?.message ?? error);
  const plain = text.replace(/\?[12](&\d+)?(?=:\d+:\d+)/g, "");
  return plain.split("\n").filter((line) => !/^\s+at .*(node:|try\.mjs)/.test(line)).slice(0, 12).join("\n").slice(0, 3000);
}

async function called(fn, args, kind, plain) {
  const wantsDone = !plain && fn.length > (kind === "node" ? 1 : 0) && kind !== "vitest" && (kind !== "node" || fn.length === 2);
  if (!wantsDone) return await fn.apply({ timeout() {}, slow() {}, retries() {} }, args);
  await new Promise((resolve, reject) => {
    const done = Object.assign((error) => (error ? reject(error) : resolve()), { fail: reject });
    const made = fn(...(kind === "node" ? [args[0], done] : [done]));
    if (made instanceof Promise) made.catch(reject);
  });
}

function contextFor(name, end, say) {
  const mocks = nodeMocks();
  end.push(() => mocks.restoreAll());
  const context = {
    name, fullName: name, signal: new AbortController().signal, assert, mock: mocks, expect, task: { name }, passed: true,
    diagnostic() {}, plan() {}, todo() {}, after: (fn) => end.push(fn), onTestFinished: (fn) => end.push(fn), onTestFailed() {},
    before: async (fn) => fn(), beforeEach: (fn) => lack("hooks of subtests"), afterEach: (fn) => lack("hooks of subtests"),
    skip() { throw Object.assign(new Error("skipped"), { skips: true }); },
    runOnly() {}, waitFor: () => lack("t.waitFor"),
    async test(...args) {
      const inner = named(args);
      if (!inner.fn || inner.options.skip || inner.options.todo) return;
      const whole = name + " > " + inner.name;
      const ends = [];
      let problem;
      try {
        await called(inner.fn, [contextFor(whole, ends, say)], "node", false);
      } catch (error) {
        if (!error?.skips) problem = error;
      }
      for (const fn of ends.reverse()) await fn();
      say(whole, problem);
      if (problem) throw problem;
    },
  };
  context.it = context.test;
  return context;
}

async function runTest(test, say) {
  const end = [];
  const name = pathOf(test);
  state.assertions = 0;
  state.planned = null;
  state.some = false;
  const context = contextFor(name, end, say);
  const line = test.suite.line;
  try {
    for (const suite of line) {
      if (suite.begun === null) {
        suite.begun = { problem: undefined };
        try {
          for (const fn of suite.hooks.before) await called(fn, [], "mocha", false);
        } catch (error) {
          suite.begun.problem = error;
        }
      }
      if (suite.begun.problem !== undefined) throw suite.begun.problem;
    }
    try {
      for (const suite of line) for (const fn of suite.hooks.beforeEach) await called(fn, [context], test.kind === "jest" ? "mocha" : "vitest", test.kind === "vitest");
      await called(test.fn, test.kind === "node" || test.kind === "vitest" ? [context] : [], test.kind, test.plain);
      if (state.planned !== null && state.planned !== state.assertions) throw new Unmet("expected " + state.planned + " assertions, and " + state.assertions + " ran");
      if (state.some && state.assertions === 0) throw new Unmet("no assertion ran");
    } finally {
      for (const suite of line.toReversed()) for (const fn of suite.hooks.afterEach) await called(fn, [context], "vitest", true);
    }
  } finally {
    for (const fn of end.reverse()) await fn();
    for (const suite of line.toReversed()) {
      suite.left -= 1;
      if (suite.left === 0) for (const fn of suite.hooks.after) await called(fn, [], "mocha", false);
    }
  }
}

/** By name; where our names differ from the runner's, by their order. */
function choose(tests, wanted) {
  const seen = new Map();
  const byName = new Map(tests.map((test) => {
    const name = pathOf(test);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return [count === 1 ? name : name + " (" + count + ")", test];
  }));
  const chosen = new Map(wanted.filter((name) => byName.has(name)).map((name) => [name, byName.get(name)]));
  for (const name of wanted) {
    // A person leaves out the groups. Of several of one name, the first: the others are asked for by their own.
    const found = chosen.has(name) ? undefined : tests.find((test) => test.name === name || pathOf(test).endsWith(" > " + name));
    if (found) chosen.set(name, found);
  }
  const taken = new Set(chosen.values());
  const free = tests.filter((test) => !taken.has(test) && !test.skip);
  // Of a test that a test starts itself, its outermost one is run.
  const inner = (name) => tests.some((test) => name.startsWith(pathOf(test) + " > "));
  const left = wanted.filter((name) => !chosen.has(name) && !inner(name));
  if (left.length > 0 && left.length === free.length) left.forEach((name, at) => chosen.set(name, free[at]));
  return chosen;
}

async function runFile(file, wanted, turn, plain, say) {
  let loaded;
  state.lacking = null;
  try {
    loaded = await load(file, turn, plain);
    if (state.lacking !== null) throw new Lacking(state.lacking);
  } catch (error) {
    for (const name of wanted) {
      if (state.lacking !== null) say(name, "not-run", "", "it needs " + state.lacking);
      else if (error instanceof SyntaxError) say(name, "not-run", "", "Node cannot load it without its runner: " + error.message);
      else say(name, "failed", "the test file cannot be loaded: " + describeError(error), "");
    }
    return;
  }
  const chosen = choose(loaded.tests, wanted);
  const order = [...chosen].filter(([, test]) => !test.skip);
  for (const [name, test] of chosen) if (test.skip) say(name, "not-run", "", "it is skipped here");
  for (const [, test] of order) for (const suite of test.suite.line) suite.left += 1;
  for (const name of wanted) {
    if (chosen.has(name)) continue;
    const outer = [...chosen.keys()].some((one) => name.startsWith(one + " > ")) || loaded.tests.find((test) => name.startsWith(pathOf(test) + " > "));
    if (!outer) say(name, "not-run", "", "our driver finds no such test");
    else if (typeof outer === "object") { order.push([pathOf(outer), outer]); for (const suite of outer.suite.line) suite.left += 1; chosen.set(pathOf(outer), outer); }
  }
  if (turn === 2) order.reverse();
  for (const [name, test] of order) {
    state.lacking = null;
    state.stray = null;
    let outcome = ["passed", "", ""];
    const env = { ...process.env };
    const place = process.cwd();
    say(name, "begun", "", "");
    try {
      await runTest(test, (inner, problem) => say(inner, problem ? "failed" : "passed", problem ? describeError(problem) : "", ""));
      if (state.stray) throw state.stray.error;
    } catch (error) {
      outcome = error?.skips ? ["not-run", "", "it skips itself here"] : ["failed", describeError(error), ""];
    }
    if (state.lacking !== null) outcome = ["not-run", "", "it needs " + state.lacking];
    say(name, ...outcome);
    if (process.cwd() !== place) process.chdir(place);
    for (const key of Object.keys(process.env)) if (!(key in env)) delete process.env[key];
    for (const [key, value] of Object.entries(env)) if (process.env[key] !== value) process.env[key] = value;
  }
}

export async function drive(order, write) {
  const started = performance.now();
  install();
  const files = order.files.map((file, number) => ({ ...file, number }));
  for (const turn of [1, 2]) {
    if (turn === 2 && performance.now() - started > order.seconds * 1000) break;
    for (const file of turn === 1 ? files : files.toReversed()) {
      const wanted = order.wanted[file.path];
      const known = new Set(wanted);
      const say = (name, outcome, message, why) => {
        if (known.has(name)) write(JSON.stringify({ turn, id: file.path + "::" + name, outcome, message, why }));
      };
      await runFile(file, wanted, turn, order.plain, say);
    }
    write(JSON.stringify({ turn, end: true }));
  }
}

export function begin({ mark, ...order }) {
  const note = (error) => { state.stray ??= { error }; };
  process.on("uncaughtException", note).on("unhandledRejection", note);
  const write = (line) => {
    const bytes = Buffer.from("\n" + mark + line + "\n");
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(1, bytes, at);
      } catch (error) {
        if (error.code !== "EAGAIN") throw error;
      }
    }
  };
  if (order.globals) Object.assign(globalThis, Object.fromEntries(GLOBALS.map((name) => [name, flavours.jest[name]])));
  setImmediate(() => drive(order, write).then(() => process.exit(0)));
}

if (process.argv[1] === fileURLToPath(own)) {
  const order = JSON.parse(readFileSync(0, "utf8"));
  unlinkSync(process.argv[1]);
  begin(order);
}
`;

export { DRIVER as DRIVER_SOURCE };
