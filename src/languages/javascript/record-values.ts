/**
 * Writes values as text and makes them again in another process: plain values, collections, dates, errors, and
 * objects of the project's own classes, which are named by file and name. `known` says where a function or class
 * stands; `find` finds it. A function of a test is carried by its text: where it needs more than that, the call
 * raises and does not count.
 */
export const CARRIED_VALUES = `
const MOST_BYTES = 60000;
const ARRAYS = [
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
];
const ERRORS = ["Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError"];
const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
/* Made for variations: functions that stand for one of the tests, each with how it is made; classes derived from one of the project. */
const standIns = new WeakMap();
const derivedClasses = new WeakSet();
const derivedFrom = (made) => {
  const one = class Derived extends made {};
  derivedClasses.add(one);
  return one;
};
const refuse = (why) => {
  throw new Error(why);
};

const encode = (root, known) => {
  const nodes = [],
    places = new Map();
  const put = (value) => {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number")
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ["n", String(Object.is(value, -0) ? "-0" : value)];
    if (value === undefined) return ["u"];
    if (typeof value === "bigint") return ["b", String(value)];
    if (typeof value === "symbol")
      return Symbol.keyFor(value) === undefined ? refuse("a symbol") : ["y", Symbol.keyFor(value)];
    const place = places.get(value);
    if (place !== undefined) return ["r", place];
    const index = nodes.length;
    if (index > 5000) refuse("it has too many parts");
    places.set(value, index);
    nodes.push(null);
    nodes[index] = typeof value === "function" ? made(value) : parts(value);
    return ["r", index];
  };
  const made = (value) => {
    if (standIns.has(value)) return { t: "v", v: put(standIns.get(value)[0]), k: standIns.get(value)[1] };
    const isDerived = derivedClasses.has(value);
    const place = known(isDerived ? Object.getPrototypeOf(value) : value);
    if (place && isDerived) return { t: "k", p: place[0], n: place[1], d: true };
    if (place) return { t: "k", p: place[0], n: place[1] };
    if (globalThis[value.name] === value) return { t: "g", n: value.name };
    const text = Function.prototype.toString.call(value);
    if (/\\[native code\\]|^class/.test(text) || text.length > 4000)
      refuse("a function or class of the tests: " + value.name);
    return { t: "f", n: value.name, x: text };
  };
  const own = (value) => {
    const found = [];
    for (const key of Object.keys(value)) {
      const one = Object.getOwnPropertyDescriptor(value, key);
      if (!one || !("value" in one)) refuse("an object with computed properties");
      found.push([key, put(one.value)]);
    }
    return found;
  };
  const parts = (value) => {
    const tag = tagOf(value);
    const prototype = Object.getPrototypeOf(value);
    const maker = prototype === null ? null : prototype.constructor;
    const usual = prototype === null || maker === globalThis[tag] || (maker && maker.name === tag);
    const isDerived = derivedClasses.has(maker);
    const place = usual ? null : known(isDerived ? Object.getPrototypeOf(maker) : maker);
    if (Array.isArray(value) && (usual || place))
      return {
        t: "a",
        c: place,
        v: Array.from(value, put),
        o: value.length === Object.keys(value).length ? [] : own(value).filter(([key]) => !/^\\d+$/.test(key)),
      };
    if (tag === "Map" && (usual || place))
      return { t: "m", c: place, v: [...value].map(([key, one]) => [put(key), put(one)]) };
    if (tag === "Set" && (usual || place)) return { t: "s", c: place, v: [...value].map(put) };
    if (tag === "Date") return { t: "d", v: value.getTime() };
    if (tag === "RegExp") return { t: "x", v: [value.source, value.flags, value.lastIndex] };
    if (tag === "URL") return { t: "l", v: value.href };
    if (ARRAYS.includes(tag)) {
      const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      const isBuffer = typeof Buffer !== "undefined" && maker && maker.name === "Buffer";
      return { t: "t", k: isBuffer ? "Buffer" : tag, v: Buffer.from(bytes).toString("base64") };
    }
    if (tag === "Error") {
      const name = ERRORS.includes(maker && maker.name) && !place ? maker.name : null;
      if (name === null && !place) refuse("an error of an unknown class");
      return {
        t: "e",
        c: place,
        n: name,
        m: value.message,
        v: own(value).filter(([key]) => key !== "message" && key !== "stack"),
      };
    }
    if (tag === "Number" || tag === "String" || tag === "Boolean") return { t: "w", v: put(value.valueOf()) };
    if (
      maker === null ||
      maker === Object ||
      (maker && maker.name === "Object" && Object.getPrototypeOf(prototype) === null)
    ) {
      if (tag !== "Object") refuse("an object of its own kind: " + tag);
      const inherits = prototype !== null && Object.getPrototypeOf(prototype) !== null;
      return { t: "o", c: null, z: prototype === null, h: inherits ? put(prototype) : null, v: own(value) };
    }
    if (!place) refuse("an object of a class that is not the project's: " + (maker && maker.name));
    return { t: "o", c: place, z: false, v: own(value), ...(isDerived && { d: true }) };
  };
  const text = JSON.stringify([put(root), nodes]);
  if (text.length > MOST_BYTES) refuse("it is larger than " + MOST_BYTES + " bytes");
  return text;
};

const decode = (text, find) => {
  const [root, nodes] = JSON.parse(text);
  const done = new Map();
  const get = (value) => {
    if (!Array.isArray(value)) return value;
    const [kind, one] = value;
    if (kind === "u") return undefined;
    if (kind === "n") return Number(one);
    if (kind === "b") return BigInt(one);
    if (kind === "y") return Symbol.for(one);
    if (!done.has(one)) make(one, nodes[one]);
    return done.get(one);
  };
  const assign = (value, pairs) => {
    for (const [key, one] of pairs)
      Object.defineProperty(value, key, { value: get(one), writable: true, enumerable: true, configurable: true });
    return value;
  };
  const like = (value, place) => (place ? Object.setPrototypeOf(value, find(place[0], place[1]).prototype) : value);
  const make = (index, node) => {
    const keep = (value) => {
      done.set(index, value);
      return value;
    };
    const { t, c, v } = node;
    if (t === "k") keep(node.d ? derivedFrom(find(node.p, node.n)) : find(node.p, node.n));
    else if (t === "v") keep(standIn(get(v), node.k));
    else if (node.d) assign(keep(Object.create(derivedFrom(find(c[0], c[1])).prototype)), v);
    else if (t === "g") keep(globalThis[node.n]);
    else if (t === "f") keep(fromText(node.x, node.n));
    else if (t === "a") {
      const made = keep(like([], c));
      v.forEach((one) => Array.prototype.push.call(made, get(one)));
      assign(made, node.o);
    } else if (t === "m") {
      const made = keep(like(new Map(), c));
      for (const [key, one] of v) Map.prototype.set.call(made, get(key), get(one));
    } else if (t === "s") {
      const made = keep(like(new Set(), c));
      for (const one of v) Set.prototype.add.call(made, get(one));
    } else if (t === "d") keep(new Date(v === null ? NaN : v));
    else if (t === "x") {
      const made = keep(new RegExp(v[0], v[1]));
      made.lastIndex = v[2];
    } else if (t === "l") keep(new URL(v));
    else if (t === "t") {
      const bytes = Buffer.from(v, "base64");
      keep(node.k === "Buffer" ? bytes : new globalThis[node.k](new Uint8Array(bytes).buffer));
    } else if (t === "e") assign(like(keep(new globalThis[node.n ?? "Error"](node.m)), c), v);
    else if (t === "w") keep(Object(get(v)));
    else if (node.h) assign(keep(Object.create(get(node.h))), v);
    else assign(keep(node.z ? Object.create(null) : like({}, c)), v);
  };
  const fromText = (text, name) => {
    for (const form of [
      "(" + text + ")",
      "({" + text + "})[" + JSON.stringify(name) + "]",
      "({async " + text + "})[" + JSON.stringify(name) + "]",
    ]) {
      try {
        return (0, eval)(form);
      } catch {}
    }
    return refuse("a function that cannot be made again");
  };
  return get(root);
};
`;

/** Functions and classes in what a CommonJS module exports, each with the path to it. */
export const EXPORTED = `
const exported = (held) => {
  const found = typeof held === "function" ? [[held, "module.exports"]] : [];
  if (held === null || (typeof held !== "object" && typeof held !== "function")) return found;
  for (const [key, one] of Object.entries(Object.getOwnPropertyDescriptors(held)).slice(0, 500)) {
    if (typeof one.value === "function") found.push([one.value, "exports." + key]);
  }
  return found;
};
`;
