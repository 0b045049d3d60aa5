/**
 * Makes other calls of recorded ones, with one place changed in each: an argument, or a part within it. What
 * equals a recorded call is left out: a change that acts on the very inputs of the tests must be told from one
 * that does more.
 */
export const VARY = `
const dice = (seed) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
  return (seed >>> 8) / 16777216;
};
const shuffled = (values, next) => {
  const all = [...values];
  for (let index = all.length - 1; index > 0; index -= 1) {
    const other = Math.floor(next() * (index + 1));
    [all[index], all[other]] = [all[other], all[index]];
  }
  return all;
};

/* A callback that gives something else, or fails; who is told nothing (a clock, a counter) gives something else each time. */
const standIn = (of, number) => {
  let turn = 0;
  const other = (value) => {
    const found = othersOf(value);
    return found.length ? found[(number + turn) % found.length] : undefined;
  };
  const made = function (...given) {
    if (number === 1) throw new Error("no");
    const value = of.apply(this, given);
    turn += given.length === 0 ? 1 : 0;
    return value instanceof Promise ? value.then(other) : other(value);
  };
  standIns.set(made, [of, number]);
  return made;
};

/* The same object, or class, as one of a class derived from its own. */
const derivedOf = (value) =>
  typeof value === "function"
    ? derivedFrom(value)
    : Object.setPrototypeOf(value, derivedFrom(Object.getPrototypeOf(value).constructor).prototype);

/* What equals the one in its first number, and the other in the rest: neither comes before the other by that. */
const tied = ([one, other, ...rest]) => {
  if (!one || !other || typeof one !== "object" || typeof other !== "object") return [];
  const key = Object.keys(one).find((key) => typeof one[key] === "number" && one[key] !== other[key]);
  return key === undefined ? [] : [[one, { ...other, [key]: one[key] }, other, ...rest]];
};

const othersOf = (value) => {
  if (typeof value === "function") {
    const text = Function.prototype.toString.call(value);
    return text.startsWith("class") || text.includes("[native code]") ? [] : [0, 1, 2, 3].map((number) => standIn(value, number));
  }
  if (typeof value === "number")
    return [
      ...[value + 1, value - 1, -value, value * 2, value * 1000 + 7, 0, value + 2, value + 0.5, NaN],
      /* What is less may count the rounds of a loop. */
      ...(Math.abs(value) >= 1000 || !Number.isInteger(value) ? [value + 2 ** 33] : []),
    ];
  if (typeof value === "bigint") return [value + 1n, value - 1n, -value, value * 2n, 0n];
  if (typeof value === "boolean") return [!value];
  if (typeof value === "string") {
    const middle = value.length >> 1;
    const turned = [...value]
      .map((one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase()))
      .join("");
    const digits = value.replace(/[0-9]/g, (one) => String((Number(one) + 1) % 10));
    return [
      value.slice(0, middle) + "x" + value.slice(middle + 1),
      value.slice(0, -1),
      value + "x",
      value.slice(1),
      "",
      value + value,
      value.slice(0, 1),
      [...value].reverse().join(""),
      turned,
      " " + value,
      value + " ",
      value.toUpperCase(),
      value.toLowerCase(),
      value.slice(0, middle) + " " + value.slice(middle),
      digits,
      /* Where functions that look alike part: blanks that are no space, ends of lines, letters and digits of others, marks. */
      "\\t" + value + "\\n",
      value.slice(0, middle) + "\\t" + value.slice(middle),
      value.slice(0, middle) + "\\r\\n" + value.slice(middle),
      value + "\\u00df",
      "\\u0130" + value,
      value + "\\u00b2",
      "\\uff11\\uff12",
      value + "<&\\"'>",
      "\\u{1f600}" + value,
      "constructor",
      "__proto__",
      ...(value === "" ? [[]] : []),
    ];
  }
  if (value === null || value === undefined) return [0, "", [], true];
  if (Array.isArray(value))
    return [
      value.slice(0, -1),
      ...tied(value),
      value.slice(1),
      [...value, ...(value.length ? value.slice(0, 1) : [0])],
      [],
      [...value].reverse(),
      [...value, ...value],
      value.slice(0, 1),
      ...(value.length ? [] : [""]),
    ];
  if (value instanceof Date) return [1, -1, 31, 366].map((days) => new Date(value.getTime() + days * 86400000));
  if (value instanceof Map) return [new Map([...value].slice(1)), new Map(), new Map([...value].reverse())];
  if (value instanceof Set) return [new Set([...value].slice(1)), new Set(), new Set([...value].reverse())];
  if (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype) {
    const pairs = Object.entries(value);
    return [
      { ...value, x: pairs.length ? pairs[0][1] : 0 },
      ...pairs.slice(0, 3).map(([gone]) => Object.fromEntries(pairs.filter(([key]) => key !== gone))),
      Object.assign(Object.create({ inherited: 1 }), value),
      {},
      Object.fromEntries([...pairs].reverse()),
    ];
  }
  return [];
};

const placesIn = (value, depth, above = new Set()) => {
  const found = [[]];
  if (depth >= 4 || value === null || typeof value !== "object" || ArrayBuffer.isView(value) || above.has(value))
    return found;
  const keys = Object.keys(value).slice(0, 12);
  for (const key of keys)
    found.push(...placesIn(value[key], depth + 1, new Set([...above, value])).map((rest) => [key, ...rest]));
  return found.slice(0, 24);
};

const at = (value, place) => place.reduce((inner, key) => inner[key], value);

/** Of [self, given]. Each of them is decoded anew, so that nothing is shared. */
const variations = (recorded, find, known, most) => {
  const next = dice(7);
  const queues = [];
  for (const { id, data } of recorded) {
    let call;
    try {
      call = decode(data, find);
    } catch {
      continue;
    }
    const all = [
      ...placesIn(call[1], 0).map((place) => [1, ...place]),
      ...(call[0] && typeof call[0] === "object" ? placesIn(call[0], 1).map((place) => [0, ...place]) : []),
    ];
    for (const place of all) {
      if (place.length < 2) continue;
      const label =
        place[0] === 0
          ? "this" +
            place
              .slice(1)
              .map((key) => "." + key)
              .join("")
          : "argument " +
            (Number(place[1]) + 1) +
            place
              .slice(2)
              .map((key) => "." + key)
              .join("");
      const others = othersOf(at(call, place));
      const made = others.map((_, index) => ({ id, label, data, place, index }));
      for (const swap of shuffled(recorded, next).slice(0, 2)) made.push({ id, label, data, place, swap: swap.data });
      if (made.length) queues.push([...made.slice(0, 2), ...shuffled(made.slice(2), next)]);
    }
  }
  for (const { id, data } of recorded.slice(0, 2)) queues.push([{ id, label: "this", data, place: [0], derive: true }]);
  const kept = [];
  const taken = new Set(recorded.map(({ data }) => data));
  for (
    let open = shuffled(queues, next);
    open.length && kept.length < most;
    open = open.filter((queue) => queue.length)
  ) {
    for (const queue of open) {
      const { id, label, data, place, index, swap, derive } = queue.shift();
      if (kept.length >= most) break;
      try {
        const call = decode(data, find);
        const inner = at(call, place.slice(0, -1));
        inner[place.at(-1)] = derive
          ? derivedOf(inner[0])
          : swap ? at(decode(swap, find), place) : othersOf(at(call, place))[index];
        const text = encode(call, known);
        if (taken.has(text)) continue;
        taken.add(text);
        kept.push({ of: id, place: label.slice(0, 100), data: text });
      } catch {}
    }
  }
  return kept;
};
`;
