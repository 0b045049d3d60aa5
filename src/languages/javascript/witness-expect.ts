/** Stand-ins for `expect`, mock functions and spies. What is missing here is lacking, and never a failure of the code. */
export const EXPECT_STAND_INS = String.raw`
const MATCHES = Symbol("matches");
const isObject = (value) => typeof value === "object" && value !== null;
const tagOf = (value) => Object.prototype.toString.call(value);
const keysOf = (value) => [
  ...Object.keys(value),
  ...Object.getOwnPropertySymbols(value).filter((key) => Object.getOwnPropertyDescriptor(value, key).enumerable),
];

function equals(a, b, strict, open = []) {
  if (isObject(b) && typeof b[MATCHES] === "function") return b[MATCHES](a);
  if (isObject(a) && typeof a[MATCHES] === "function") return a[MATCHES](b);
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (tagOf(a) !== tagOf(b)) return false;
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof RegExp && b instanceof RegExp) return a.source === b.source && a.flags === b.flags;
  if (a instanceof Error && b instanceof Error) {
    return a.message === b.message && a.name === b.name && (!strict || a.constructor === b.constructor);
  }
  if (a instanceof Number || a instanceof String || a instanceof Boolean) return Object.is(a.valueOf(), b.valueOf());
  if (a instanceof URL && b instanceof URL) return a.href === b.href;
  if (a instanceof Promise || a instanceof WeakMap || a instanceof WeakSet) return false;
  if (open.some(([left, right]) => left === a && right === b)) return true;
  const inner = [...open, [a, b]];
  const same = (left, right) => equals(left, right, strict, inner);
  if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof ArrayBuffer) return Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;
  if (a instanceof Set && b instanceof Set) {
    return a.size === b.size && [...a].every((one) => b.has(one) || [...b].some((other) => same(one, other)));
  }
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, value]) =>
      b.has(key) ? same(value, b.get(key)) : [...b].some(([other, one]) => same(key, other) && same(value, one)));
  }
  if (Array.isArray(a) || ArrayBuffer.isView(a)) {
    if (a.length !== b.length) return false;
    for (let at = 0; at < a.length; at++) {
      if (strict && at in a !== at in b) return false;
      if (!same(a[at], b[at])) return false;
    }
  }
  const indices = Array.isArray(a) || ArrayBuffer.isView(a);
  const named = (value) => keysOf(value).filter((key) =>
    (strict || value[key] !== undefined) && !(indices && typeof key === "string" && /^\d+$/.test(key)));
  const [left, right] = [named(a), named(b)];
  return left.length === right.length && left.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

function contains(actual, expected) {
  if (!isObject(expected) || expected[MATCHES] || !isObject(actual)) return equals(actual, expected, false);
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && actual.length === expected.length && expected.every((one, at) => contains(actual[at], one));
  }
  if (tagOf(expected) !== "[object Object]") return equals(actual, expected, false);
  return keysOf(expected).every((key) => key in actual && contains(actual[key], expected[key]));
}

function propertyOf(value, path) {
  const keys = Array.isArray(path) ? path : String(path).split(/[.[\]]+/).filter((key) => key !== "");
  let found = value;
  for (const key of keys) {
    if (found === null || found === undefined || !(key in Object(found))) return { has: false };
    found = found[key];
  }
  return { has: true, value: found };
}

function fitsError(error, expected) {
  if (expected === undefined) return true;
  const message = isObject(error) && "message" in error ? String(error.message) : String(error);
  if (typeof expected === "string") return message.includes(expected);
  if (expected instanceof RegExp) return expected.test(message);
  if (typeof expected === "function") return error instanceof expected;
  if (isObject(expected) && expected[MATCHES]) return expected[MATCHES](error);
  if (isObject(expected) && "message" in expected) return message === expected.message;
  return lack("toThrow of such a value");
}

const callsOf = (value) => value?.mock?.calls ?? lack("a mock function of another kind");
const resultsOf = (value) => value?.mock?.results ?? lack("a mock function of another kind");
const listOf = (value) => typeof value === "string" ? value : isObject(value) ? [...value] : lack("toContain of such a value");

const MATCHERS = {
  toBe: (a, b) => Object.is(a, b),
  toEqual: (a, b) => equals(a, b, false),
  toStrictEqual: (a, b) => equals(a, b, true),
  toBeTruthy: (a) => Boolean(a),
  toBeFalsy: (a) => !a,
  toBeNull: (a) => a === null,
  toBeUndefined: (a) => a === undefined,
  toBeDefined: (a) => a !== undefined,
  toBeNullable: (a) => a === null || a === undefined,
  toBeNaN: (a) => Number.isNaN(a),
  toBeGreaterThan: (a, b) => a > b,
  toBeGreaterThanOrEqual: (a, b) => a >= b,
  toBeLessThan: (a, b) => a < b,
  toBeLessThanOrEqual: (a, b) => a <= b,
  toBeCloseTo: (a, b, digits = 2) => Object.is(a, b) || a === b || Math.abs(a - b) < 10 ** -digits / 2,
  toContain: (a, b) => typeof a === "string" ? a.includes(b) : [...listOf(a)].some((one) => one === b || Object.is(one, b)),
  toContainEqual: (a, b) => [...listOf(a)].some((one) => equals(one, b, false)),
  toHaveLength: (a, b) => a?.length === b,
  toMatch: (a, b) => typeof a === "string" && (typeof b === "string" ? a.includes(b) : new RegExp(b).test(a)),
  toMatchObject: (a, b) => contains(a, b),
  toBeInstanceOf: (a, b) => a instanceof b,
  toBeTypeOf: (a, b) => typeof a === b,
  toBeOneOf: (a, b) => [...b].some((one) => equals(a, one, false)),
  toSatisfy: (a, b) => Boolean(b(a)),
  toHaveProperty(a, path, ...rest) {
    const found = propertyOf(a, path);
    return found.has && (rest.length === 0 || equals(found.value, rest[0], false));
  },
  toHaveBeenCalled: (a) => callsOf(a).length > 0,
  toHaveBeenCalledOnce: (a) => callsOf(a).length === 1,
  toHaveBeenCalledTimes: (a, b) => callsOf(a).length === b,
  toHaveBeenCalledWith: (a, ...b) => callsOf(a).some((one) => equals(one, b, false)),
  toHaveBeenLastCalledWith: (a, ...b) => equals(callsOf(a).at(-1), b, false),
  toHaveBeenNthCalledWith: (a, at, ...b) => equals(callsOf(a)[at - 1], b, false),
  toHaveReturned: (a) => resultsOf(a).some((one) => one.type === "return"),
  toHaveReturnedTimes: (a, b) => resultsOf(a).filter((one) => one.type === "return").length === b,
  toHaveReturnedWith: (a, b) => resultsOf(a).some((one) => one.type === "return" && equals(one.value, b, false)),
  toHaveLastReturnedWith: (a, b) => equals(resultsOf(a).at(-1)?.value, b, false),
};
for (const [other, name] of [["toBeCalled", "toHaveBeenCalled"], ["toBeCalledTimes", "toHaveBeenCalledTimes"],
  ["toBeCalledWith", "toHaveBeenCalledWith"], ["lastCalledWith", "toHaveBeenLastCalledWith"], ["toReturnWith", "toHaveReturnedWith"]]) {
  MATCHERS[other] = MATCHERS[name];
}

class Unmet extends Error {
  name = "AssertionError";
}

const shown = (value) => inspect(value, { depth: 3, breakLength: 100 }).slice(0, 400);

function verify(name, holds, negated, actual, expected, note) {
  state.assertions += 1;
  if (holds !== negated) return;
  const said = expected.map(shown).join(", ");
  throw new Unmet((note ? note + ": " : "") + "expect(" + shown(actual) + ")" + (negated ? ".not" : "") + "." + name + "(" + said + ")");
}

function thrown(actual, name, negated, expected, note) {
  if (typeof actual !== "function") return verify(name, fitsError(actual, expected[0]), negated, actual, expected, note);
  let error;
  let threw = false;
  try {
    actual();
  } catch (caught) {
    [error, threw] = [caught, true];
  }
  verify(name, threw && fitsError(error, expected[0]), negated, threw ? error : actual, expected, note);
}

function chain(actual, negated, how, note) {
  return new Proxy({}, {
    get(_, name) {
      if (typeof name === "symbol" || name === "then") return undefined;
      if (name === "not") return chain(actual, !negated, how, note);
      if (name === "resolves" || name === "rejects") return chain(actual, negated, name, note);
      const isThrow = name === "toThrow" || name === "toThrowError";
      const matcher = Object.hasOwn(MATCHERS, name) ? MATCHERS[name] : null;
      if (!matcher && !isThrow) return lack("expect()." + name);
      const check = (value, expected) => isThrow
        ? thrown(value, name, negated, expected, note)
        : verify(name, matcher(value, ...expected), negated, value, expected, note);
      if (how === "resolves") {
        return async (...expected) => check(await (typeof actual === "function" ? actual() : actual), expected);
      }
      if (how === "rejects") {
        return async (...expected) => {
          let value;
          try {
            value = await (typeof actual === "function" ? actual() : actual);
          } catch (error) {
            return isThrow ? verify(name, fitsError(error, expected[0]), negated, error, expected, note) : check(error, expected);
          }
          throw new Unmet("resolved to " + shown(value) + " instead of rejecting");
        };
      }
      return (...expected) => check(actual, expected);
    },
  });
}

const matching = (test, name) => ({ [MATCHES]: test, [inspect.custom]: () => name });
const asymmetric = (negated) => {
  const when = (test, name) => matching((value) => test(value) !== negated, name);
  return {
    objectContaining: (part) => when((value) => isObject(value) && keysOf(part).every((key) => key in value && equals(value[key], part[key], false)), "objectContaining"),
    arrayContaining: (part) => when((value) => Array.isArray(value) && part.every((one) => value.some((other) => equals(other, one, false))), "arrayContaining"),
    stringContaining: (part) => when((value) => typeof value === "string" && value.includes(part), "stringContaining"),
    stringMatching: (part) => when((value) => typeof value === "string" && new RegExp(part).test(value), "stringMatching"),
    closeTo: (number, digits = 2) => when((value) => MATCHERS.toBeCloseTo(value, number, digits), "closeTo"),
  };
};

const PRIMITIVES = new Map([[String, "string"], [Number, "number"], [Boolean, "boolean"], [BigInt, "bigint"], [Symbol, "symbol"], [Function, "function"]]);
const expectation = Object.assign((actual, note) => chain(actual, false, null, note), {
  ...asymmetric(false),
  not: asymmetric(true),
  any: (kind) => matching((value) =>
    PRIMITIVES.has(kind) ? typeof value === PRIMITIVES.get(kind) || value instanceof kind : kind === Object ? isObject(value) : value instanceof kind, "any"),
  anything: () => matching((value) => value !== null && value !== undefined, "anything"),
  assertions(count) { state.planned = count; },
  hasAssertions() { state.some = true; },
  unreachable(why) { throw new Unmet(why ?? "unreachable"); },
  fail(why) { throw new Unmet(why ?? "fail"); },
});
const expect = new Proxy(expectation, {
  get: (target, name) => typeof name === "symbol" || name in target ? target[name] : lack("expect." + name),
});

/** A function that remembers how it was called, in the manner of Jest and Vitest. */
function mockFunction(first) {
  let usual = first;
  let once = [];
  const own = { calls: [], results: [], instances: [], contexts: [], invocationCallOrder: [], get lastCall() { return own.calls.at(-1); } };
  const fn = function (...args) {
    own.calls.push(args);
    own.contexts.push(this);
    own.instances.push(this);
    own.invocationCallOrder.push(++state.order);
    const result = { type: "incomplete", value: undefined };
    own.results.push(result);
    const act = once.length > 0 ? once.shift() : usual;
    try {
      result.value = new.target && act ? Reflect.construct(act, args) : act?.apply(this, args);
      result.type = "return";
      return result.value;
    } catch (error) {
      Object.assign(result, { type: "throw", value: error });
      throw error;
    }
  };
  const clear = () => { for (const key of ["calls", "results", "instances", "contexts", "invocationCallOrder"]) own[key].length = 0; };
  const set = (change) => (...args) => { change(...args); return fn; };
  const methods = {
    mock: own,
    mockClear: set(clear),
    mockReset: set(() => { clear(); usual = fn.original; once = []; }),
    mockRestore: set(() => { clear(); usual = first; once = []; fn.restore?.(); }),
    mockImplementation: set((act) => { usual = act; }),
    mockImplementationOnce: set((act) => { once.push(act); }),
    mockReturnValue: set((value) => { usual = () => value; }),
    mockReturnValueOnce: set((value) => { once.push(() => value); }),
    mockResolvedValue: set((value) => { usual = async () => value; }),
    mockResolvedValueOnce: set((value) => { once.push(async () => value); }),
    mockRejectedValue: set((value) => { usual = async () => { throw value; }; }),
    mockRejectedValueOnce: set((value) => { once.push(async () => { throw value; }); }),
    mockReturnThis: set(() => { usual = function () { return this; }; }),
    mockName: set(() => {}),
    getMockName: () => "fn",
    getMockImplementation: () => usual,
    restore: undefined,
    original: undefined,
  };
  Object.assign(fn, methods);
  state.mocks.push(fn);
  return fn;
}

function spyOn(target, name, access) {
  if (access !== undefined) lack("a spy on a property");
  const own = Object.getOwnPropertyDescriptor(target, name);
  const old = target[name];
  if (old?.mock) return old;
  const fn = mockFunction(old);
  fn.original = old;
  fn.restore = () => own ? Object.defineProperty(target, name, own) : delete target[name];
  Object.defineProperty(target, name, { configurable: true, writable: true, enumerable: own?.enumerable ?? true, value: fn });
  return fn;
}

const each = (what) => () => { for (const fn of state.mocks) fn[what](); return mocking; };
const stubbed = [];
const mocking = lackingBeyond("jest or vi", {
  fn: mockFunction,
  spyOn,
  mocked: (value) => value,
  isMockFunction: (value) => typeof value === "function" && isObject(value.mock),
  clearAllMocks: each("mockClear"),
  resetAllMocks: each("mockReset"),
  restoreAllMocks: each("mockRestore"),
  setTimeout: () => mocking,
  stubEnv(name, value) {
    stubbed.push([name, process.env[name]]);
    process.env[name] = value;
    return mocking;
  },
  unstubAllEnvs() {
    for (const [name, value] of stubbed.splice(0).reverse()) value === undefined ? delete process.env[name] : (process.env[name] = value);
    return mocking;
  },
});

/** Mock functions in the manner of node:test. */
function nodeMock(original = () => {}, implementation = original) {
  let act = implementation;
  const calls = [];
  let restore = () => {};
  const fn = function (...args) {
    const call = { arguments: args, this: this, target: new.target, result: undefined, error: undefined };
    calls.push(call);
    try {
      call.result = new.target ? Reflect.construct(act, args) : act.apply(this, args);
      return call.result;
    } catch (error) {
      call.error = error;
      throw error;
    }
  };
  fn.mock = lackingBeyond("mock", {
    get calls() { return [...calls]; },
    callCount: () => calls.length,
    resetCalls: () => { calls.length = 0; },
    mockImplementation: (next) => { act = next; },
    restore: () => { act = original; restore(); },
  });
  fn.atEnd = (end) => { restore = end; };
  return fn;
}
const nodeMocks = () => {
  const made = [];
  return lackingBeyond("mock", {
    fn(original, implementation) {
      const fn = nodeMock(original, typeof implementation === "function" ? implementation : original);
      made.push(fn);
      return fn;
    },
    method(target, name, implementation) {
      const own = Object.getOwnPropertyDescriptor(target, name);
      const fn = nodeMock(target[name], typeof implementation === "function" ? implementation : target[name]);
      fn.atEnd(() => own ? Object.defineProperty(target, name, own) : delete target[name]);
      Object.defineProperty(target, name, { configurable: true, writable: true, enumerable: own?.enumerable ?? true, value: fn });
      made.push(fn);
      return fn;
    },
    reset() { for (const fn of made) fn.mock.restore(); },
    restoreAll() { for (const fn of made) fn.mock.restore(); },
  });
};
`;
