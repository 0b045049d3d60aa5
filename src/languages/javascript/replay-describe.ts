/**
 * Says what a value is, by value: two processes can be compared by it. Functions are described by their text,
 * apart from the rest (`codes`): text that differs may still do the same. `blind`: of the value itself nothing but
 * its kind can be seen; `opaque`: of some part of it. What is behind an object and is no class belongs to it.
 */
export const DESCRIBE = `
const MOST_PARTS = 20000;
const describe = (root) => {
  const codes = [];
  let left = MOST_PARTS;
  let blind = false;
  let opaque = false;
  const path = new Set();
  const put = (value, depth) => {
    left -= 1;
    if (typeof value === "string") return JSON.stringify(value);
    /* Who asks for it by its name gets the very same one, wherever. */
    if (typeof value === "symbol") return (Symbol.keyFor(value) === undefined ? "" : "shared ") + String(value);
    if (typeof value === "bigint") return value + "n";
    if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return String(value);
    if (left < 0 || depth > 60 || path.has(value)) {
      opaque = true;
      return "...";
    }
    path.add(value);
    try {
      return parts(value, depth + 1);
    } finally {
      path.delete(value);
    }
  };
  const computed = () => {
    opaque = true;
    return "<computed>";
  };
  const own = (value, depth, skip) =>
    Reflect.ownKeys(value)
      .filter((key) => !skip(key))
      .map((key) => {
        const one = Object.getOwnPropertyDescriptor(value, key);
        const name = typeof key === "symbol" ? String(key) : JSON.stringify(key);
        const marked = one.enumerable ? name : "(" + name + ")";
        return marked + ": " + ("value" in one ? put(one.value, depth) : computed());
      })
      .join(", ");
  const parts = (value, depth) => {
    if (typeof value === "function") {
      if (depth === 1) blind = true;
      codes.push(Function.prototype.toString.call(value));
      const props = own(value, depth, (key) => ["length", "name", "prototype", "arguments", "caller"].includes(key));
      return "<function " + props + ">";
    }
    const tag = tagOf(value);
    const name = Object.getPrototypeOf(value)?.constructor?.name ?? "null";
    const lead = fixedness(value) + (name === tag ? "" : name + " ");
    const several = (values) => values.map((one) => put(one, depth)).join(", ");
    const none = () => false;
    if (Array.isArray(value))
      return (
        lead +
        "[" +
        several(Array.from(value)) +
        "]" +
        own(value, depth, (key) => key === "length" || /^[0-9]+$/.test(String(key)))
      );
    if (value instanceof Map)
      return (
        lead +
        "Map{" +
        [...value].map(([key, one]) => put(key, depth) + " => " + put(one, depth)).join(", ") +
        "}" +
        own(value, depth, none)
      );
    if (value instanceof Set) return lead + "Set{" + several([...value]) + "}" + own(value, depth, none);
    if (value instanceof Date) return lead + "Date(" + value.getTime() + ")";
    if (value instanceof RegExp) return lead + String(value) + value.lastIndex;
    if (value instanceof URL) return "URL(" + value.href + ")";
    if (ArrayBuffer.isView(value))
      return name + "(" + Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") + ")";
    if (value instanceof Error)
      return (
        name +
        "(" +
        JSON.stringify(value.message) +
        ")" +
        own(value, depth, (key) => key === "stack" || key === "message")
      );
    if (["Number", "String", "Boolean"].includes(tag)) return lead + tag + "(" + String(value.valueOf()) + ")";
    if (["Promise", "WeakMap", "WeakSet", "WeakRef", "Generator"].includes(tag)) {
      if (depth === 1) blind = true;
      opaque = true;
      return "<" + tag + ">";
    }
    if (hasPrivate(value)) {
      if (depth === 1) blind = true;
      opaque = true;
    }
    return lead + "{" + own(value, depth, none) + "}" + inherited(value, depth);
  };
  const inherited = (value, depth) => {
    const behind = Object.getPrototypeOf(value);
    if (behind === null || Object.hasOwn(behind, "constructor")) return "";
    return " on " + put(behind, depth);
  };
  const text = put(root, 0);
  return { text, codes, blind, opaque: opaque || codes.length > 0 };
};

/** What can be done to it, though it looks the same. */
const fixedness = (value) => {
  if (value === null || typeof value !== "object" || Object.isExtensible(value)) return "";
  return Object.isFrozen(value) ? "frozen " : Object.isSealed(value) ? "sealed " : "fixed ";
};

const hasPrivate = (value) => {
  for (let one = Object.getPrototypeOf(value); one && one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    const text = typeof one.constructor === "function" ? Function.prototype.toString.call(one.constructor) : "";
    if (/^class[^]*[^'"\\w]#[a-zA-Z_$]/.test(text)) return true;
  }
  return false;
};

const clipped = (text, most = 2_000) => (text.length <= most ? text : text.slice(0, most - 1).toWellFormed() + "…");
const shown = (value) => {
  try {
    return clipped(
      fixedness(value) + util.inspect(value, {
        depth: 6,
        breakLength: Infinity,
        compact: true,
        maxStringLength: 200,
        customInspect: false,
      }),
    );
  } catch {
    return clipped(describe(value).text);
  }
};
/** Among others: the arguments of a call. */
const brief = (value) => clipped(shown(value), 160);
const sumOf = (text) => crypto.createHash("sha256").update(text).digest("hex").slice(0, 16);
`;
