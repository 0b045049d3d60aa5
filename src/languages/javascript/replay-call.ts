/**
 * One call, and everything of it that can be seen from outside: what it gives or raises, what it does to its
 * arguments and to what its module exports, what it prints, which files it writes. Code that never comes back is cut
 * off, and nobody leaves the process.
 */
export const CALL = `
class Left extends Error {}
const leave = (code) => {
  throw new Left("the process leaves with " + code);
};
process.exit = leave;
process.reallyExit = leave;
process.abort = leave;
process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});
let printed = "";
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk, ...more) => {
    if (stream === process.stdout) printed += String(chunk);
    const done = more.findLast((one) => typeof one === "function");
    if (done) queueMicrotask(done);
    return true;
  };
}
let written = [];
for (const [owner, names] of [
  [
    fs,
    [
      "writeFileSync",
      "appendFileSync",
      "mkdirSync",
      "rmSync",
      "unlinkSync",
      "renameSync",
      "writeFile",
      "appendFile",
      "mkdir",
      "rm",
      "unlink",
      "rename",
      "createWriteStream",
    ],
  ],
  [fs.promises, ["writeFile", "appendFile", "mkdir", "rm", "unlink", "rename"]],
]) {
  for (const name of names) {
    const own = owner[name];
    owner[name] = function (...given) {
      written.push(name + " " + describe(given.filter((one) => typeof one !== "function")).text);
      return own.apply(this, given);
    };
  }
}
syncBuiltinESMExports();

const seeded = (seed) => {
  const next = dice(seed * 7919);
  Math.random = next;
};
const stateOf = (path) => {
  const found = new Map();
  for (const [name, value] of Object.entries(exportsOf(path) ?? {})) {
    if (typeof value !== "function" && name !== "default" && name !== "module.exports")
      found.set(name, describe(value).text);
  }
  return found;
};
const callOf = (key) => functions.get(key);
const expired = Symbol("expired");
const within = (promise, ms) => {
  let timer;
  const end = new Promise((resolve) => {
    timer = realTimeout(() => resolve(expired), ms);
  });
  return Promise.race([promise, end]).finally(() => clearTimeout(timer));
};
const realTimeout = setTimeout;

const finished = async (value) => {
  if (typeof value?.then === "function") value = await value;
  const isGenerator = value !== null && typeof value === "object" && typeof value.next === "function";
  if (isGenerator && typeof value[Symbol.asyncIterator] === "function") {
    const found = [];
    for await (const one of value) {
      found.push(one);
      if (found.length >= 200) break;
    }
    return ["yields ", found];
  }
  if (isGenerator && typeof value[Symbol.iterator] === "function") {
    const found = [];
    try {
      for (const one of value) {
        found.push(one);
        if (found.length >= 200) break;
      }
    } catch (error) {
      found.push(error);
    }
    return ["yields ", found];
  }
  return ["", value];
};

// Lists and tables within a value, by where they are: who has one can change it for everybody else who has it.
const holds = (value, place, found, depth = 0, twins = []) => {
  if (value === null || typeof value !== "object") return found;
  if (found.get(value)) twins.push(place + " is " + found.get(value));
  if (found.has(value) || found.size > 300) return found;
  const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  found.set(value, isPlain || value instanceof Map || value instanceof Set ? place : "");
  if (depth > 3) return found;
  for (const key of Object.keys(value).slice(0, 30)) {
    const one = Object.getOwnPropertyDescriptor(value, key);
    if (one && "value" in one) holds(one.value, place + "." + key, found, depth + 1, twins);
  }
  return found;
};
const KEPT = "what the module keeps";
const sharedBy = (value, given, path) => {
  const [theirs, twins] = [new Map(), []];
  given.forEach((one, index) => holds(one, index === 0 ? "this" : "argument " + index, theirs));
  const own = holds(value, "it", new Map(), 0, twins);
  // By whatever name the module has it.
  for (const one of own.size > 0 ? keptBy(path) : [])
    for (const [inner, place] of holds(one, KEPT, new Map()))
      if (place !== "" && !theirs.has(inner)) theirs.set(inner, KEPT);
  const shares = [...own].flatMap(([one, place]) =>
    place !== "" && theirs.get(one) ? [place + " is " + theirs.get(one)] : [],
  );
  return [...shares, ...twins];
};

/** What an error tells besides its words. */
const toldBy = (error) => {
  const told = error instanceof Error ? Object.entries(error).filter(([key]) => key !== "cause") : [];
  return told.length === 0 ? "" : describe(Object.fromEntries(told)).text;
};

const outcomeOf = async (call, patience) => {
  const { path, name } = callOf(call.key);
  let self, given;
  try {
    [self, given] = decode(call.data, find);
  } catch (error) {
    return { kind: "unmade", parts: {}, call: clipped(String(error)) };
  }
  const who =
    self === undefined || self === null
      ? name
      : typeof self === "function"
        ? "new " + self.name
        : brief(self) + "." + name.split(".").at(-1);
  const text = clipped(who + "(" + given.map(brief).join(", ") + ")");
  const before = [self, ...given].map((one) => describe(one).text);
  const state = stateOf(path);
  const parts = {};
  const answer = { call: text, parts };
  printed = "";
  written = [];
  seeded(asked.attempt);
  let seen;
  try {
    const made = limited(() => invoke(path, name, self, given), patience);
    const done = await within(finished(made), patience);
    if (done === expired) return { ...answer, parts: {}, kind: "hang" };
    seen = describe(done[1]);
    parts.value = { sum: sumOf(done[0] + seen.text), shown: clipped(done[0] + shown(done[1])) };
    const shares = name.endsWith(".constructor") ? "" : sharedBy(done[1], [self, ...given], path).join("; ");
    if (shares.length > 0) parts.shares = { sum: sumOf(shares), shown: clipped("gives out " + shares) };
    answer.kind = "value";
    answer.quiet = done[1] === undefined;
  } catch (error) {
    if (error?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return { ...answer, parts: {}, kind: "hang" };
    if (error instanceof Absent) throw error;
    const met =
      error instanceof Error
        ? (error.constructor?.name ?? error.name) + ": " + error.message
        : "throws " + describe(error).text;
    parts.value = { sum: sumOf(met), shown: clipped("raises " + met) };
    const told = toldBy(error);
    if (told !== "") parts.told = { sum: sumOf(told), shown: clipped("with " + told) };
    answer.kind = "raise";
    answer.raised = error instanceof Error ? (error.constructor?.name ?? error.name) : "";
  }
  const isMade = name.endsWith(".constructor");
  [self, ...given].forEach((one, index) => {
    const text = isMade && index === 0 ? before[0] : describe(one).text;
    if (text !== before[index])
      parts["argument " + index] = {
        sum: sumOf(text),
        shown: clipped((index === 0 ? "makes this " : "makes an argument ") + shown(one)),
      };
  });
  if (printed) parts.output = { sum: sumOf(printed), shown: clipped("prints " + JSON.stringify(printed)) };
  for (const [key, text] of stateOf(path)) {
    if (state.get(key) !== text)
      parts["name " + key] = { sum: sumOf(text), shown: clipped("makes " + key + " " + text) };
  }
  if (written.length) parts.files = { sum: sumOf(written.join("\\n")), shown: clipped("files " + written.join(", ")) };
  answer.quiet = Boolean(answer.quiet) && Object.keys(parts).length === 1;
  answer.codes = seen?.codes.length ? sumOf(seen.codes.join("\\n")) : "";
  answer.blind = Boolean(seen?.blind);
  answer.shape = sumOf(shapeOf([self, ...given]));
  return answer;
};

let work = () => {};
globalThis[Symbol.for("miracle.make")] = () => work();
const script = new vm.Script("globalThis[Symbol.for('miracle.make')]()");
// Code that never comes back is cut off.
const limited = (own, ms) => {
  work = own;
  return script.runInThisContext({ timeout: ms });
};
`;
