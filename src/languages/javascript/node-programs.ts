/** Modules that Node loads from its command line inside the sandbox: nothing is added to the project or mounted beside it. */
export const asModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;

/**
 * A reporter of `node --test` that writes a line for each moment of the run. The one for JUnit that Node brings loses why a
 * file could not be loaded, and what went wrong in a test that has tests of its own.
 */
export const REPORTER = `
const root = process.cwd() + "/";
const relative = (file) => (file?.startsWith(root) ? file.slice(root.length) : file) ?? "";
const line = (value) => JSON.stringify(value) + "\\n";
const looksLikeTests = /(\\.|-|_)(test|spec)\\.[cm]?[jt]s$/;

export default async function* (source) {
  const begun = new Map();
  const open = new Map();
  const said = new Map();
  const within = (stacks, file, data) => {
    const names = [...(stacks.get(file) ?? []).slice(0, data.nesting), data.name];
    stacks.set(file, names);
    return names.join(" > ");
  };
  for await (const { type, data } of source) {
    const file = relative(data.file);
    if (type === "test:stderr") said.set(file, ((said.get(file) ?? "") + data.message).slice(-6000));
    const isFile = data.nesting === 0 && data.name === file;
    if (type === "test:dequeue") yield line({ type: "start", file, name: isFile ? "file" : within(begun, file, data) });
    if (type === "test:complete" && isFile) yield line({ type: "done", file, name: "file" });
    if (type === "test:start") within(open, file, data);
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { details } = data;
    const failed = type === "test:fail";
    const ms = details.duration_ms ?? 0;
    if (isFile) {
      if (failed) {
        const message = withoutInternals(said.get(file) ?? describe(details.error));
        yield line({ type: "test", file, name: "file", outcome: "error", ms, message });
      } else if (looksLikeTests.test(file)) {
        yield line({ type: "test", file, name: "file", outcome: "error", ms, message: "no test of this file ran" });
      }
      continue;
    }
    const name = within(open, file, data);
    const passedOn = failed && details.error?.failureType === "subtestsFailed";
    if (details.type === "suite" && (!failed || passedOn)) {
      yield line({ type: "done", file, name });
      continue;
    }
    const unusual = details.type === "suite" || ["cancelledByParent", "hookFailed"].includes(details.error?.failureType);
    const outcome = data.skip !== undefined ? "skipped"
      : failed ? (data.todo !== undefined ? "xfailed" : unusual ? "error" : "failed")
      : "passed";
    const reason = typeof data.skip === "string" ? data.skip : "";
    yield line({ type: "test", file, name, outcome, ms, message: failed ? describe(details.error) : reason });
  }
  yield line({ type: "end" });
}

function describe(error) {
  const cause = error?.cause;
  const text = cause?.stack ?? (typeof cause === "string" ? cause : error?.message) ?? String(error);
  return withoutInternals(text).slice(0, 8000);
}

function withoutInternals(text) {
  return text.split("\\n").filter((line) => !/^\\s+at .*(node:|data:)/.test(line)).join("\\n");
}
`;

/**
 * Gives fast-check a fixed seed wherever it is imported as a module: property tests that try other examples each time
 * make two identical runs differ. Settings of the project's own still win.
 */
export const STEADY_FAST_CHECK = `
import { registerHooks } from "node:module";
const seed = Number(process.env.MIRACLE_SEED ?? 42) | 0;
const settings = "seed: " + seed + (process.env.MIRACLE_MEANT_TO_FAIL ? ", endOnFailure: true" : "");
const entry = /\\/node_modules\\/fast-check\\/.*\\/fast-check\\.js$/;
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (!entry.test(found.url) || !context.conditions.includes("import") || context.parentURL?.startsWith("data:")) return found;
    const from = JSON.stringify(found.url);
    const source = "import fc from " + from + "; fc.configureGlobal({ " + settings + ", ...fc.readConfigureGlobal() });" +
      "export * from " + from + "; export default fc;";
    return { url: "data:text/javascript," + encodeURIComponent(source), format: "module", shortCircuit: true };
  },
});
`;

/**
 * Tells which file of the project opens or imports which other, and which test file started a process. Who opens is the
 * innermost frame that belongs to the project. Code can get round it: what it says makes a file code's, never a test's, and
 * a process that counts for another test file is noticed by fewer tests.
 */
export const READS = `
import fs from "node:fs";
import { registerHooks, syncBuiltinESMExports } from "node:module";
import { isMainThread, threadId } from "node:worker_threads";
const out = process.env.MIRACLE_READS;
const root = process.cwd() + "/";
const pairs = new Set();
const inside = (name) => {
  const path = String(name instanceof URL ? name.href : name).replace(/^file:\\/\\//, "");
  const full = path.startsWith("/") ? path : root + path.replace(/^\\.\\//, "");
  return full.startsWith(root) && !full.includes("/node_modules/") ? full.slice(root.length).split("?")[0] : null;
};
const note = (reader, path) => { if (reader && path && reader !== path && pairs.size < 20000) pairs.add(reader + "\\0" + path); };
const opened = (name) => {
  if (typeof name !== "string" && !(name instanceof URL)) return;
  const path = inside(name);
  if (!path || path.startsWith(".miracle-report")) return;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const stack = String(new Error().stack);
  Error.stackTraceLimit = limit;
  for (const frame of stack.split("\\n").slice(2)) {
    const place = /\\(?((?:file:\\/\\/)?\\/[^()]+?):\\d+:\\d+\\)?$/.exec(frame)?.[1];
    const reader = place && inside(place);
    if (reader) return note(reader, path);
  }
};
const wrap = (object, names) => {
  for (const name of names) {
    const own = object[name];
    if (typeof own !== "function") continue;
    object[name] = Object.assign(function (path, ...rest) { try { opened(path); } catch {} return own.call(this, path, ...rest); }, own);
  }
};
const write = fs.writeFileSync, make = fs.mkdirSync;
const startedBy = process.env.MIRACLE_STARTED_BY;
// Node runs each test file in a process of its own, and says so there.
if (!startedBy && process.env.NODE_TEST_CONTEXT && process.argv[1]) process.env.MIRACLE_STARTED_BY = inside(process.argv[1]) ?? "";
wrap(fs, ["readFileSync", "openSync", "readFile", "open", "createReadStream"]);
wrap(fs.promises, ["readFile", "open"]);
syncBuiltinESMExports();
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (context.parentURL && found.url.startsWith("file:")) note(inside(context.parentURL), inside(found.url));
    return found;
  },
});
process.on("exit", () => {
  try {
    make(out, { recursive: true });
    const reads = [...pairs].map((pair) => pair.split("\\0"));
    const own = process.pid + "-" + (isMainThread ? 0 : threadId) + ".json";
    if (startedBy) write(out + "/started-" + own, JSON.stringify({ startedBy }));
    if (reads.length > 0) write(out + "/reads-" + own, JSON.stringify({ reads }));
  } catch {}
});
`;
