import { EXPORTED } from "./record-values.ts";

/**
 * Loads modules of the project so that what they hold can be reached, exported or not: a line behind each text
 * hands its names out. A module can be loaded again with another text. Imports without an ending, as bundlers
 * allow them, are found too.
 */
export const LOAD = `
${EXPORTED}
class Absent extends Error {}
const functions = new Map(asked.functions.map((one) => [one.key, one]));
const names = new Map();
const wanted = (path, name) => {
  const first = name.split(".")[0];
  if (!names.has(path)) names.set(path, new Set());
  if (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(first) && !["default", "module", "exports", "this"].includes(first))
    names.get(path).add(first);
};
for (const { path, name } of functions.values()) wanted(path, name);
const classPaths = (calls) => {
  const paths = new Set();
  for (const { data } of calls) {
    try {
      for (const node of JSON.parse(data)[1]) {
        const place = node.t === "k" ? [node.p, node.n] : node.c;
        if (place) {
          wanted(place[0], place[1]);
          paths.add(place[0]);
        }
      }
    } catch {}
  }
  return paths;
};
classPaths(asked.calls);

const held = new Map();
const isCommon = new Map();
const spaces = new Map();
/** What stands at the top of a module, whether others get it or not. */
const tops = new Map();
globalThis[Symbol.for("miracle.hold")] = (path, own, top) => {
  held.set(path, own);
  tops.set(path, top);
};
const keptBy = (path) =>
  (tops.get(path) ?? []).flatMap((get) => {
    try {
      return [get()];
    } catch {
      return [];
    }
  });
const texts = new Map();
const pathOf = (url) => {
  if (!url.startsWith("file://")) return null;
  const path = fileURLToPath(url.split("?")[0]);
  return path.startsWith(root + "/") ? path.slice(root.length + 1) : null;
};
const formatOf = (given, path, text) => {
  if (given) return given.replace("-typescript", "");
  const kind = /^\\s*(import\\b(?!\\s*\\()|export\\b)/m.test(text) ? "module" : "commonjs";
  return kind;
};
// An import of a type that does not say so is left out by compilers, and missed by Node.
const withoutTypes = (text) => {
  const plain = stripTypeScriptTypes(text, { mode: "transform" });
  return plain.replace(/^(import\\s+(?:[\\w$]+\\s*,\\s*)?)\\{([^}]*)\\}(\\s*from\\b)/gm, (whole, lead, names, rest) => {
    const kept = names.split(",").filter((one) => {
      const local = one
        .trim()
        .split(/\\s+as\\s+/)
        .at(-1);
      return (
        local !== "" &&
        plain.split(new RegExp("(?<![\\\\w$])" + local.replaceAll("$", "\\\\$") + "(?![\\\\w$])")).length > 2
      );
    });
    return lead + "{" + kept.join(",") + "}" + rest;
  });
};
const ENDINGS = ["", ".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js", "/index.mjs"];
registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (error) {
      if (!/^[./]/.test(specifier) || !context.parentURL?.startsWith("file:")) throw error;
      const base = fileURLToPath(new URL(specifier, context.parentURL));
      const bases = [base, base.replace(/\\.([cm]?)jsx?$/, "")];
      for (const one of bases) {
        for (const ending of ENDINGS) {
          if (fs.statSync(one + ending, { throwIfNoEntry: false })?.isFile())
            return next(pathToFileURL(one + ending).href, context);
        }
      }
      throw error;
    }
  },
  load(url, context, next) {
    const path = pathOf(url);
    const isTyped = /\\.[cm]?tsx?$/.test(path ?? "");
    if (path === null || path.includes("node_modules/") || (!names.has(path) && !isTyped)) return next(url, context);
    const written = texts.get(path) ?? fs.readFileSync(root + "/" + path, "utf8");
    const text = isTyped ? withoutTypes(written) : written;
    let format = context.format;
    try {
      format ??= next(url, context).format;
    } catch (error) {
      if (error?.code !== "ERR_UNKNOWN_FILE_EXTENSION") throw error;
    }
    const pairs = [...(names.get(path) ?? [])].map((name) => JSON.stringify(name) + ": () => " + name);
    const top = [...text.matchAll(/^(?:export\\s+)?(?:const|let|var)\\s+([\\w$]+)\\s*=/gm)].map(([, name]) => "() => " + name);
    const own = JSON.stringify(path) + ", { " + pairs.join(", ") + " }, [" + top.join(", ") + "]";
    const tail = "\\n;globalThis[Symbol.for('miracle.hold')](" + own + ");\\n";
    format = formatOf(format, path, text);
    isCommon.set(path, format === "commonjs");
    return { format, source: text + tail, shortCircuit: true };
  },
});

const require = createRequire(root + "/package.json");
const load = async (path, text, version) => {
  const file = root + "/" + path;
  if (!fs.existsSync(file)) throw new Absent("there is no " + path);
  wanted(path, "default");
  if (text !== undefined) texts.set(path, text);
  delete require.cache[file];
  const url = pathToFileURL(file).href + (version ? "?version=" + version : "");
  if (version && isCommon.get(path)) {
    spaces.set(path, { default: require(file) });
    return;
  }
  const before = held.get(path);
  const space = await import(url);
  spaces.set(path, space);
  if (!held.has(path)) throw new Absent("it was loaded before it could be looked at");
};
const exportsOf = (path) => {
  const space = spaces.get(path);
  const common = space?.default;
  return common && typeof common === "object" && isCommon.get(path) ? common : space;
};

/** The path to a function from what its module holds: "exports.half", "Counter.add", "export default". */
const partsOf = (name) =>
  name
    .replace(/^export default$/, "default")
    .replace(/^module\\.exports/, "exports")
    .replace(/\\[["']([^"']*)["']\\]/g, ".$1")
    .split(".");
const top = (path, name) => {
  if (name === "exports") return spaces.get(path)?.default;
  try {
    return held.get(path)[name]();
  } catch {}
  const space = spaces.get(path) ?? {};
  if (name in space) return space[name];
  const inner = space.default;
  if (name === "default") return inner;
  if (inner !== null && inner !== undefined && name in Object(inner)) return inner[name];
  if (inner?.name === name) return inner;
  throw new Absent("there is no " + name + " in " + path);
};
const find = (path, name) => {
  if (!spaces.has(path)) throw new Absent("there is no " + path);
  return partsOf(name).reduce((value, part, index) => (index === 0 ? top(path, part) : value[part]), undefined);
};
const known = (value) => {
  for (const [path, own] of held) {
    for (const [name, get] of Object.entries(own)) {
      try {
        if (get() === value) return [path, name];
      } catch {}
    }
  }
  for (const [path, space] of spaces) {
    const found = isCommon.get(path) ? exported(space.default).find(([one]) => one === value) : undefined;
    if (found) return [path, found[1]];
  }
  return null;
};

/** The owner of a function, the name it has there, and its property. */
const resolve = (path, name) => {
  const parts = partsOf(name);
  const last = parts.at(-1);
  let owner = top(path, parts[0]);
  if (parts.length === 1) return { owner: undefined, property: { value: owner } };
  for (const part of parts.slice(1, -1)) owner = owner[part];
  if (last === "constructor") return { owner, property: { value: owner } };
  if (last.startsWith("#")) throw new Absent("it is private to its class");
  const property =
    (owner.prototype && Object.getOwnPropertyDescriptor(owner.prototype, last)) ??
    Object.getOwnPropertyDescriptor(owner, last);
  if (!property && typeof owner === "function") return { owner, property: { own: last } };
  if (!property) throw new Absent("there is no " + name + " in " + path);
  return { owner, property };
};
const invoke = (path, name, self, given) => {
  const { property } = resolve(path, name);
  if (name.endsWith(".constructor")) return Reflect.construct(property.value, given, self ?? property.value);
  if (property.own) return self[property.own](...given);
  if (property.get && given.length === 0) return property.get.call(self);
  if (property.set) return property.set.call(self, ...given);
  if (typeof property.value !== "function") throw new Absent(name + " is no function");
  return Function.prototype.toString.call(property.value).startsWith("class")
    ? Reflect.construct(property.value, given)
    : property.value.call(self, ...given);
};
const shapeOf = (values) => {
  const found = new Map();
  const open = [...values];
  for (const value of open.slice(0, 50)) {
    if (value === null || typeof value !== "object") continue;
    const place = known(Object.getPrototypeOf(value)?.constructor);
    if (!place) continue;
    const text = Function.prototype.toString.call(Object.getPrototypeOf(value).constructor);
    found.set(
      place[1],
      [...new Set([...text.matchAll(/this\\.([A-Za-z_$][A-Za-z0-9_$]*)\\s*=[^=]/g)].map(([, name]) => name))]
        .sort()
        .join(","),
    );
  }
  return JSON.stringify([...found]);
};
`;
