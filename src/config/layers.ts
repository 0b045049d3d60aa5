import type { ConfigFile } from "./config-file.ts";

/** One source of settings. Later layers win. */
export interface Layer {
  /** The name for people: a file's path, `environment`, `flags`. */
  name: string;
  value: ConfigFile;
  /** The exact place of the value at a path: `:12` in a file, the variable, the flag. */
  locate?: (path: string[]) => string | undefined;
}

/** Maps are merged key by key; everything else, lists included, is replaced as a whole. */
export function mergeLayers(layers: Layer[]): ConfigFile {
  return layers.reduce<ConfigFile>((merged, layer) => merge(merged, layer.value), {});
}

/** The topmost layer with a value at this path. */
export function sourceOf(layers: Layer[], path: string[]): string | undefined {
  const layer = layers.findLast((candidate) => valueAt(candidate.value, path) !== undefined);
  return layer && (layer.locate?.(path) ?? layer.name);
}

export function valueAt(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (current, key) => (isMap(current) && Object.hasOwn(current, key) ? current[key] : undefined),
    value,
  );
}

/** The paths of all values that are no maps, in the order of the file. */
export function leaves(value: unknown, prefix: string[] = []): string[][] {
  if (!isMap(value)) return [prefix];
  return Object.entries(value).flatMap(([key, item]) => leaves(item, [...prefix, key]));
}

function merge<T extends object>(below: T, above: T): T {
  const result = { ...below };
  for (const key in above) {
    const current = result[key];
    const value = above[key];
    if (value !== undefined) result[key] = isMap(current) && isMap(value) ? merge(current, value) : value;
  }
  return result;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
