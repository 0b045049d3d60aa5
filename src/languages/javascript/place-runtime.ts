import type { PlaceOrder } from "../recorded-calls.ts";
import { RECORD, SCRIBE } from "./record-runtime.ts";
import { CARRIED_VALUES } from "./record-values.ts";
import { DESCRIBE } from "./replay-describe.ts";
import { VARY } from "./replay-vary.ts";

/**
 * Makes calls in the place where a test makes them, for functions whose arguments nobody can carry elsewhere: before
 * the call itself, on copies of what can be copied, twice, once of them without the runner's variables. What cannot be copied (a callback's own variables, an open
 * stream) meets these calls, too: the test is not judged by this run, and both trees do the same to it as long as
 * they behave the same. So only the first calls in a test are made.
 */
export const placeRuntime = (out: string, root: string, order: PlaceOrder) =>
  `;${RECORD} ??= (() => { ${RUNTIME}
    return placer(${JSON.stringify(out)}, ${JSON.stringify(`${root}/`)}, ${JSON.stringify(order)}); })();`.replace(
    /\n\s*/g,
    " ",
  );

const COPY = `
const copied = (value, done = new Map()) => {
  if (value === null || typeof value !== "object") return value;
  if (done.has(value)) return done.get(value);
  const keep = (made) => {
    done.set(value, made);
    return made;
  };
  const tag = tagOf(value);
  if (tag === "Date") return keep(new Date(value.getTime()));
  if (ARRAYS.includes(tag)) return keep(value.slice());
  const prototype = Object.getPrototypeOf(value);
  if (tag === "Map" && prototype === Map.prototype) {
    const made = keep(new Map());
    for (const [key, one] of value) made.set(copied(key, done), copied(one, done));
    return made;
  }
  if (tag === "Set" && prototype === Set.prototype) {
    const made = keep(new Set());
    for (const one of value) made.add(copied(one, done));
    return made;
  }
  if (!Array.isArray(value) && (tag !== "Object" || hasPrivate(value))) return keep(value);
  const made = keep(Array.isArray(value) ? [] : Object.create(prototype));
  for (const key of Reflect.ownKeys(value)) {
    const one = Object.getOwnPropertyDescriptor(value, key);
    if ("value" in one) one.value = copied(one.value, done);
    Object.defineProperty(made, key, one);
  }
  return made;
};
`;

const RUNTIME = `
const crypto = process.getBuiltinModule("node:crypto");
const util = process.getBuiltinModule("node:util");
const vm = process.getBuiltinModule("node:vm");
${CARRIED_VALUES}
${SCRIBE}
${DESCRIBE}
${VARY}
${COPY}
const othersHere = (value) => {
  if (typeof value !== "function") return othersOf(value);
  if (/^class/.test(Function.prototype.toString.call(value))) return [];
  return [0, 1, 2, 3].map((number) => (...given) => {
    const made = value(...given);
    if (typeof made?.then === "function") return made;
    const found = othersOf(made);
    return found[number % Math.max(1, found.length)];
  });
};

const briefOf = (value, depth = 0) => {
  if (value === null || typeof value !== "object") return typeof value === "function" ? "f" : describe(value).text;
  const maker = Object.getPrototypeOf(value)?.constructor;
  const isPlain = maker === undefined || maker.name === "Object" || Array.isArray(value);
  if (!isPlain || depth > 8) return "<" + (["Date", "RegExp", "Map", "Set"].includes(tagOf(value)) ? describe(value).text : maker.name) + ">";
  return "{" + Object.keys(value).slice(0, 200).map((key) => key + ":" + briefOf(value[key], depth + 1)).join() + "}";
};

const partsNow = (value) => {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return { "": describe(value).text };
  const found = {};
  for (const [key, one] of Object.entries(Object.getOwnPropertyDescriptors(value)))
    if ("value" in one) found[key] = describe(one.value).text;
  return Object.keys(found).length ? found : { "": describe(value).text };
};
const changedOf = (before, now) =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((key) => before[key] !== now[key])
    .map((key) => key + " " + now[key])
    .sort()
    .join();

const callsOf = (self, given, most) => {
  const fresh = () => copied([self, given]);
  const tellOf = (call) => {
    const { text, codes } = describe(call);
    return text + codes.join();
  };
  const next = dice(7);
  const isPlace = (value) =>
    Array.isArray(value) || (value !== null && typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value)));
  const placesHere = (value, depth) =>
    depth > 3 || !isPlace(value)
      ? [[]]
      : [[], ...Object.keys(value).slice(0, 12).flatMap((key) => placesHere(value[key], depth + 1).map((rest) => [key, ...rest]))];
  const ofSelf = self !== null && typeof self === "object" ? Object.keys(self).slice(0, 12) : [];
  const queueOf = (place) => {
    const [where, first, ...rest] = place;
    const label = where === 0 ? ["this", first, ...rest] : ["argument " + (Number(first) + 1), ...rest];
    const count = othersHere(at([self, given], place)).length;
    const made = Array.from({ length: count }, (_, index) => ({ place, index, label: label.join(".") }));
    return [...made.slice(0, 2), ...shuffled(made.slice(2), next)];
  };
  const direct = given.map((_, index) => queueOf([1, index]));
  const inner = [
    ...given.flatMap((one, index) => placesHere(one, 0).slice(1).map((rest) => [1, index, ...rest])),
    ...ofSelf.map((key) => [0, key]),
  ].slice(0, 24).map(queueOf);
  const inTurn = (queues, rounds) =>
    Array.from({ length: rounds }, () => queues.flatMap((queue) => queue.splice(0, 1))).flat();
  const ordered = [...inTurn(direct, 3), ...inTurn([...shuffled(inner, next), ...direct], 16)];
  const known = new Set([tellOf(fresh())]);
  const kept = [];
  for (const { place, index, label } of ordered) {
    if (kept.length >= most) break;
    try {
      const make = () => {
        const call = fresh();
        const inner = at(call, place.slice(0, -1));
        inner[place.at(-1)] = othersHere(inner[place.at(-1)])[index];
        return call;
      };
      const whole = tellOf(make());
      if (known.has(whole) && typeof at(make(), place) !== "function") continue;
      known.add(whole);
      kept.push({ place: label.slice(0, 100), id: sumOf(JSON.stringify([label, index])), make });
    } catch {}
  }
  return kept;
};

const withoutRunner = (work) => {
  const kept = Object.entries(process.env).filter(([name]) => /^(NODE_TEST|NODE_ENV|VITEST|JEST|MOCHA|TEST$)/.test(name));
  for (const [name] of kept) delete process.env[name];
  try {
    work();
  } finally {
    Object.assign(process.env, Object.fromEntries(kept));
  }
};

const placer = (out, root, order) => {
  const { say, current } = scribe(out, root);
  const started = performance.now();
  const functions = new Map();
  let busy = false;
  let seen = [];
  const listen = (owner, name, text) => {
    const own = owner[name];
    if (typeof own !== "function") return;
    owner[name] = function (...given) {
      if (busy) seen.push(text + " " + describe(given.filter((one) => typeof one !== "function")).text);
      if (busy && name === "exit") throw new Error("the process leaves");
      return own.apply(this, given);
    };
  };
  const fs = process.getBuiltinModule("node:fs");
  const writing = ["writeFile", "appendFile", "mkdir", "rm", "unlink", "rename"];
  for (const name of [...writing, ...writing.map((one) => one + "Sync"), "createWriteStream"]) listen(fs, name, name);
  for (const name of writing) listen(fs.promises, name, name);
  for (const name of ["log", "info", "debug", "warn", "error"]) listen(console, name, "prints");
  listen(process.stdout, "write", "prints");
  listen(process, "exit", "leaves");
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
  let work = () => {};
  globalThis[Symbol.for("miracle.make")] = () => work();
  const script = new vm.Script("globalThis[Symbol.for('miracle.make')]()");

  const tell = (call, common, answer) => {
    const { kind, parts } = answer;
    const sums = Object.keys(parts).sort().map((name) => [name, parts[name].sum]);
    const sum = sumOf(JSON.stringify([kind, ...sums]));
    const outcome = { ...answer, id: call.id, sum };
    say({ placed: { ...common, of: call.of, place: call.place, attempt: call.attempt, outcome } });
  };
  const makeCall = (call, common, again) => {
    const [self, given] = call.make();
    const all = [self, ...given];
    const before = all.map(partsNow);
    const heard = [];
    const hearing = given.map((one, index) =>
      typeof one !== "function" || /^class/.test(Function.prototype.toString.call(one))
        ? one
        : new Proxy(one, {
            apply(own, owner, said) {
              if (heard.length < 200) heard.push("argument " + (index + 1) + "(" + said.map(brief).join(", ") + ")");
              return Reflect.apply(own, owner, said);
            },
          }),
    );
    const text = clipped(common.name + "(" + given.map(brief).join(", ") + ")");
    const parts = {};
    const finish = (kind, value, error) => {
      const answer = { kind, parts, call: text, raised: "", codes: "", blind: false };
      if (kind === "value") {
        const isRow = value !== null && typeof value === "object" && typeof value.next === "function";
        const items = isRow && typeof value[Symbol.iterator] === "function" ? value.take(200).toArray() : value;
        const described = describe(items);
        parts.value = { sum: sumOf(described.text), shown: shown(items) };
        answer.codes = described.codes.length ? sumOf(described.codes.join()) : "";
        answer.blind = described.blind;
      } else if (kind === "raise") {
        const name = error instanceof Error ? (error.constructor?.name ?? error.name) : "";
        const met = name ? name + ": " + error.message : "throws " + describe(error).text;
        parts.value = { sum: sumOf(met), shown: clipped("raises " + met) };
        answer.raised = name;
      }
      all.forEach((one, index) => {
        const changed = changedOf(before[index], partsNow(one));
        if (changed)
          parts["argument " + index] = { sum: sumOf(changed), shown: clipped("makes an argument " + shown(one)) };
      });
      if (heard.length) parts.calls = { sum: sumOf(heard.join()), shown: clipped("calls " + heard.join(", ")) };
      if (seen.length) parts.output = { sum: sumOf(seen.join()), shown: clipped(seen.join(", ")) };
      answer.quiet = kind === "value" && value === undefined && Object.keys(parts).length === 1;
      tell(call, common, answer);
    };
    seen = [];
    try {
      work = () => again(self, hearing);
      const value = script.runInThisContext({ timeout: order.callMs * 2 });
      if (typeof value?.then !== "function") return finish("value", value);
      const own = seen;
      const later = (kind) => (one) => {
        seen = own;
        finish(kind, one, one);
      };
      value.then(later("value"), later("raise"));
    } catch (error) {
      finish(error?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? "hang" : "raise", undefined, error);
    }
  };
  return (path, name, self, given, again) => {
    if (busy || !again) return undefined;
    const key = path + "::" + name;
    if (!functions.has(key)) functions.set(key, { tests: new Map(), calls: 0 });
    const one = functions.get(key);
    const test = current();
    const inTest = one.tests.get(test) ?? 0;
    if (!test || inTest >= 2 || one.calls >= 60 || performance.now() - started > order.deadlineMs) return undefined;
    one.tests.set(test, inTest + 1);
    one.calls += 1;
    busy = true;
    try {
      const whole = [self === globalThis ? undefined : self, Array.from(given)];
      const id = sumOf(JSON.stringify([name, test, inTest, briefOf(whole)]));
      const vary = one.calls > 12 ? Math.floor(order.vary / 3) : order.vary;
      const common = { path, name, test };
      const own = { id, of: null, place: "", make: () => copied(whole) };
      const varied = callsOf(...whole, vary).map((call) => ({ ...call, id: id + "~" + call.id, of: id }));
      for (const attempt of [1, 2]) {
        const calls = attempt === 1 ? [own, ...varied] : [own, ...varied].reverse();
        const make = () => calls.forEach((call) => makeCall({ ...call, attempt }, common, again));
        attempt === 1 ? make() : withoutRunner(make);
      }
      say({ gave: id });
      return () => say({ raised: id });
    } catch {
      return undefined;
    } finally {
      busy = false;
    }
  };
};
`;
