/**
 * Modules that are loaded into a test runner before it starts, and that write a line for each moment of the run as our
 * other reporters do. The place of the report is in a variable, which is taken away before any code of the project runs.
 */
const WRITES_LINES = `
import { appendFileSync } from "node:fs";
const root = process.cwd() + "/";
const relative = (file) => {
  const path = String(file ?? "").replace(/^file:\\/\\//, "");
  return path.startsWith(root) ? path.slice(root.length) : path;
};
const text = (error) => {
  const stack = String(error?.stack ?? error?.message ?? error ?? "");
  const message = String(error?.message ?? "");
  const whole = stack.includes(message) ? stack : message + "\\n" + stack;
  return whole.split("\\n").filter((one) => !one.includes("data:text/javascript,")).join("\\n").slice(0, 8000);
};
const report = process.env.MIRACLE_LINES;
const begin = () => {
  delete process.env.MIRACLE_LINES;
  process.once("exit", () => line({ type: "end" }));
};
const line = (value) => { try { appendFileSync(report, JSON.stringify(value) + "\\n"); } catch {} };
const test = (file, name, outcome, ms, message) => line({ type: "test", file, name, outcome, ms: ms || 0, message: message || "" });
`;

/** A reporter under a name of its own: Mocha finds it among those that it brings. */
export const MOCHA_REPORTER = `${WRITES_LINES}
import { createRequire } from "node:module";
try {
  const Mocha = createRequire(root + "package.json")("mocha");
  const titleOf = (one) => (one.titlePath ? one.titlePath().join(" > ") : one.fullTitle());
  Mocha.reporters.miracle = class extends Mocha.reporters.Spec {
    constructor(runner, options) {
      super(runner, options);
      begin();
      const failed = new Map();
      const ended = new Set();
      const fileOf = (one) => relative(one.file ?? one.parent?.file);
      runner.on("test", (one) => line({ type: "start", file: fileOf(one), name: titleOf(one) }));
      runner.on("fail", (one, error) => {
        const isLate = one.type !== "test" || ended.has(one);
        if (isLate) test(fileOf(one), titleOf(one), "error", one.duration, text(error));
        else failed.set(one, text(error));
      });
      runner.on("test end", (one) => {
        const outcome = failed.has(one) ? "failed" : one.pending || one.isPending?.() ? "skipped" : "passed";
        ended.add(one);
        test(fileOf(one), titleOf(one), outcome, one.duration, failed.get(one));
      });
    }
  };
} catch {}
`;

/** AVA knows no reporters of others: one of its own also tells us what it is told. */
export const AVA_REPORTER = `${WRITES_LINES}
import { registerHooks } from "node:module";
const outcomes = { "test-passed": "passed", "test-failed": "failed", "hook-failed": "error" };
globalThis[Symbol.for("miracle.ava")] = (plan) => {
  begin();
  plan.status.on("stateChange", tell);
};
const tell = (event) => {
  const file = relative(event.testFile);
  const error = event.err;
  const details = (error?.formattedDetails ?? error?.values ?? []).map(({ label, formatted }) => label + "\\n" + formatted);
  const said = () => [error?.message, ...details, text(error?.originalError ?? error)].filter(Boolean).join("\\n");
  if (outcomes[event.type]) test(file, event.title, event.knownFailing ? "xfailed" : outcomes[event.type], event.duration, said());
  else if (event.type === "selected-test" && (event.skip || event.todo)) test(file, event.title, "skipped", 0, "");
  else if (/^(uncaught-exception|unhandled-rejection|internal-error|missing-ava-import|worker-failed)$/.test(event.type))
    test(file, "file", "error", 0, event.type + "\\n" + said());
  else if (event.type === "process-exit" || event.type === "timeout")
    for (const [path, titles] of event.pendingTests ?? [])
      for (const title of titles) test(relative(path), title, "error", 0, event.type);
};
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!/\\/node_modules\\/ava\\/lib\\/reporters\\/tap\\.js$/.test(url)) return loaded;
    const more = ";{ const start = TapReporter.prototype.startRun; TapReporter.prototype.startRun = function (plan, ...more) {" +
      "globalThis[Symbol.for('miracle.ava')](plan); return start.call(this, plan, ...more); }; }";
    return { ...loaded, source: String(loaded.source) + more };
  },
});
`;

/** uvu prints a dot for each test: every handler is wrapped where it is registered. */
export const UVU_REPORTER = `${WRITES_LINES}
import { registerHooks } from "node:module";
const caller = () => {
  const frames = (new Error().stack ?? "").split("\\n").map((one) => /\\(?((?:file:\\/\\/)?\\/[^()]+?):\\d+:\\d+\\)?$/.exec(one)?.[1]);
  return relative(frames.find((one) => one && relative(one) !== one && !one.includes("node_modules")) ?? "");
};
globalThis[Symbol.for("miracle.uvu")] = (context, name, handler) => {
  const file = caller();
  const suite = context.state?.__suite__;
  const own = suite ? suite + " > " + name : name;
  return async (...given) => {
    line({ type: "start", file, name: own });
    const start = performance.now();
    try {
      await handler(...given);
      test(file, own, "passed", performance.now() - start);
    } catch (error) {
      test(file, own, "failed", performance.now() - start, text(error));
      throw error;
    }
  };
};
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!/\\/node_modules\\/uvu\\/dist\\/index\\.m?js$/.test(url)) return loaded;
    const from = "ctx[key].push({ name, handler })";
    const to = "ctx[key].push({ name, handler: globalThis[Symbol.for('miracle.uvu')](ctx, name, handler) })";
    begin();
    return { ...loaded, source: String(loaded.source).replace(from, to) };
  },
});
`;

/**
 * Runs each file of tests that print TAP in a process of its own, and writes down what it prints and how it ends.
 * Arguments: the report, the program with its options, `--files`, and the files or patterns.
 */
export const FILE_BY_FILE = `
const { spawnSync } = require("node:child_process");
const { appendFileSync, existsSync, globSync } = require("node:fs");
const [report, ...given] = process.argv.slice(1);
const at = given.lastIndexOf("--files");
const [program, ...options] = given.slice(0, at);
const files = given.slice(at + 1).flatMap((one) => existsSync(one) ? [one] : globSync(one, { exclude: (name) => name === "node_modules" }));
let worst = files.length === 0 ? 1 : 0;
for (const file of [...new Set(files)].sort()) {
  appendFileSync(report, "\\n#miracle-file " + file + "\\n");
  const { stdout, status } = spawnSync(program, [...options, file], { stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1 << 28 });
  process.stdout.write(stdout ?? "");
  appendFileSync(report, stdout ?? "");
  appendFileSync(report, "\\n#miracle-exit " + status + "\\n");
  worst = Math.max(worst, status ?? 1);
}
if (files.length === 0) console.error("no file of tests is named: " + given.slice(at + 1).join(" "));
process.exitCode = worst;
`;
