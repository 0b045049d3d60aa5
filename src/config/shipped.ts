import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import type { ConfigFile } from "./config-file.ts";
import type { Layer } from "./layers.ts";

const FILES = ["settings.yaml", "models.yaml", "prices.yaml", "database.yaml"];

type Compiled = Record<string, { text: string; value: ConfigFile }>;

/**
 * The shipped YAML, the lowest of all layers. config/ is the source. The build parses it once into dist/config.json,
 * which is used while the text is unchanged, because parsing YAML costs more than everything else.
 */
export async function shippedLayers(root: string): Promise<Layer[]> {
  const compiled = readCompiled(root);
  return Promise.all(FILES.map((name) => shippedLayer(join(root, "config", name), compiled[name])));
}

async function shippedLayer(file: string, compiled: Compiled[string] | undefined): Promise<Layer> {
  const text = readShipped(file);
  if (compiled?.text === text) return { name: file, value: compiled.value };
  const { parseYaml } = await import("./parse-yaml.ts");
  return { name: file, value: parseYaml(text, file).value };
}

function readShipped(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const message = `${file} is missing: this installation is not complete, install Miracle again`;
    throw fail("environment", "config.missing", message, { cause: error });
  }
}

/** Our own build writes it from checked files. Without it, in a checkout that is not built, the YAML is parsed. */
function readCompiled(root: string): Compiled {
  try {
    return JSON.parse(readFileSync(join(root, "dist", "config.json"), "utf8"));
  } catch {
    return {};
  }
}
