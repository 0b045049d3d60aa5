/**
 * What names of a module stand for once it is loaded, and what loading it did besides: files, what it printed, the
 * language's own objects, other modules of the project. A value is known with the names that stand for the very same
 * object.
 */
export const VALUES = `
const namesFor = (value) => {
  if (value === null || typeof value !== "object") return [];
  const found = [];
  for (const own of held.values()) {
    for (const [name, get] of Object.entries(own)) {
      try {
        if (get() === value) found.push(name);
      } catch {}
    }
  }
  return found.sort();
};

/* Of a class: what it is derived from. */
const kindsOf = (value) => {
  const found = [];
  for (let one = Object.getPrototypeOf(value); one && one !== Function.prototype; one = Object.getPrototypeOf(one))
    found.push(String(one.name));
  return found;
};

const builtinsNow = () => {
  const texts = [];
  const put = (lead, owner) => {
    for (const key of Reflect.ownKeys(owner)) {
      const { value, get } = Object.getOwnPropertyDescriptor(owner, key);
      const made = typeof value === "function" ? value : get;
      const text = typeof made === "function" ? Function.prototype.toString.call(made) : typeof value;
      texts.push(lead + String(key) + " " + text);
    }
  };
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name);
    if (typeof value !== "function" && (typeof value !== "object" || value === null || value === globalThis)) continue;
    put(name + ".", value);
    if (value.prototype) put(name + ".prototype.", value.prototype);
  }
  return sumOf(texts.sort().join("\\n"));
};

const tellValues = async () => {
  const paths = new Set(asked.values.map(({ path }) => path));
  for (const { path, name } of asked.values) wanted(path, name);
  for (const path of paths) {
    printed = "";
    written = [];
    try {
      await load(path);
    } catch {
      continue;
    }
    const around = { "the language itself": builtinsNow() };
    for (const [file, module] of Object.entries(require.cache)) {
      const place = file.replace(root + "/", "");
      if (!place.includes("node_modules/") && !paths.has(place)) around[place] = sumOf(describe(module.exports).text);
    }
    say({ loaded: { path, effects: sumOf(JSON.stringify([printed, written])), around } });
    for (const { name } of asked.values.filter((one) => one.path === path)) {
      try {
        const value = find(path, name);
        const { text, opaque } = describe(value);
        const shared = namesFor(value);
        const others = shared.filter((one) => one !== name).join(", ");
        const also = others ? " (" + others + " is the same object)" : "";
        const sum = sumOf(text + JSON.stringify(shared));
        const kinds = typeof value === "function" ? kindsOf(value) : [];
        say({ value: { path, name, sum, shown: shown(value) + also, kinds, plain: !opaque } });
      } catch {}
    }
  }
};
`;
