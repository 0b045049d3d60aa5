import { CARRIED_VALUES, EXPORTED } from "./record-values.ts";

/** What rewritten sources call. Whichever is loaded first brings it along. */
export const RECORD = 'globalThis[Symbol.for("miracle.record")]';
/** Where each source says which functions and classes it has. */
export const STANDING = 'globalThis[Symbol.for("miracle.standing")]';

/**
 * Writes down with which arguments functions are called, at once and in the process of the test: a process may be
 * ended at any moment. The test is the one that its runner names: node:test, Vitest, Jest and Mocha do; otherwise
 * nobody.
 */
export const recordRuntime = (out: string, root: string, first: readonly string[]) =>
  `;${RECORD} ??= (() => { ${RUNTIME}
    return recorder(${JSON.stringify(out)}, ${JSON.stringify(`${root}/`)}, new Set(${JSON.stringify(first)})); })();`.replace(
    /\n\s*/g,
    " ",
  );

/** Writes lines down, and says which test runs. */
export const SCRIBE = `
const scribe = (out, root) => {
  const builtin = (name) => process.getBuiltinModule(name);
  const fs = builtin("node:fs");
  const append = fs.appendFileSync;
  const file = out + "/" + process.pid + "-" + Math.random().toString(36).slice(2) + ".json";
  const relative = (path) => (path ?? "").replace(/^file:\\/\\//, "").replace(root, "");
  let ofMocha = "";
  try {
    if (typeof globalThis.beforeEach === "function" && typeof globalThis.specify === "function") {
      globalThis.beforeEach(function () {
        const test = this.currentTest;
        ofMocha = test ? relative(test.file) + "::" + test.titlePath().join(" > ") : "";
      });
    }
  } catch {}
  const current = () => {
    try {
      const task = globalThis.__vitest_worker__?.current;
      if (task) {
        const names = [];
        for (let one = task; one && one.type !== "file" && one !== task.file; one = one.suite)
          if (one.name) names.unshift(one.name);
        return relative(task.file?.filepath) + "::" + names.join(" > ");
      }
      if (ofMocha) return ofMocha;
      const state = globalThis.expect?.getState?.();
      if (state?.testPath) return relative(state.testPath) + "::" + (state.currentTestName ?? "");
      const context = process.env.NODE_TEST_CONTEXT ? builtin("node:test").getTestContext?.() : undefined;
      if (context) return relative(context.filePath) + "::" + (context.fullName ?? context.name);
      return "";
    } catch {
      return "";
    }
  };
  const say = (value) => {
    try {
      fs.mkdirSync(out, { recursive: true });
      append(file, JSON.stringify(value) + "\\n");
    } catch {}
  };
  return { say, current };
};
`;

const RUNTIME = `
${CARRIED_VALUES}
${SCRIBE}
${EXPORTED}
const recorder = (out, root, first) => {
  const { say, current } = scribe(out, root);
  const functions = new Map();
  let standing;
  const known = (value) => {
    const queue = ${STANDING} ?? [];
    if (!standing || standing.read !== queue.length) {
      standing = { read: queue.length, names: new Map() };
      for (const [path, names, common] of queue) {
        for (const [name, get] of Object.entries(names)) {
          try {
            const held = get();
            if (typeof held === "function") standing.names.set(held, [path, name]);
          } catch {}
        }
        for (const [held, name] of exported(common?.())) {
          if (!standing.names.has(held)) standing.names.set(held, [path, name]);
        }
      }
    }
    return standing.names.get(value) ?? null;
  };
  const tell = (one) =>
    say({
      function: {
        path: one.path,
        name: one.name,
        module: "",
        seen: one.seen,
        distinct: one.calls.size,
        lost: one.lost,
        why: one.why,
      },
    });
  process.on("exit", () => functions.forEach(tell));
  return (path, name, self, given) => {
    const key = path + "::" + name;
    let one = functions.get(key);
    if (!one)
      functions.set(
        key,
        (one = { path, name, seen: 0, tried: 0, lost: 0, why: "", calls: new Map(), tests: new Map() }),
      );
    one.seen += 1;
    if ((one.seen & (one.seen - 1)) === 0) tell(one);
    const test = current();
    const inTest = one.tests.get(test) ?? 0;
    if (inTest >= 60 || (one.tried >= 3000 && !first.has(test))) return undefined;
    one.tests.set(test, inTest + 1);
    one.tried += 1;
    let data;
    try {
      data = encode([self === globalThis ? undefined : self, Array.from(given)], known);
    } catch (error) {
      one.lost += 1;
      if (!one.why) {
        one.why = String(error?.message ?? error).slice(0, 200);
        tell(one);
      }
      return undefined;
    }
    let call = one.calls.get(data);
    if (!call) {
      if (one.calls.size >= 160 && !first.has(test)) return undefined;
      one.calls.set(data, (call = { tests: new Set() }));
    }
    const line = (kind) => say({ call: { path, name, kind, tests: test ? [test] : [], data } });
    if (!call.tests.has(test) && (call.tests.size < 20 || first.has(test))) {
      call.tests.add(test);
      line("value");
    }
    return () => {
      if (!call.raised) {
        call.raised = true;
        line("raise");
      }
    };
  };
};
`;
