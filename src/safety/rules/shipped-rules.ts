import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { fail } from "../../domain/failure.ts";

const Compiled = z.object({ text: z.string(), value: z.unknown() });

/**
 * One file of the rules that ship. config/safety is the truth; the build parses it into dist/, and what stands there is
 * used for as long as the text is the same: parsing YAML takes ten times as long as everything else about a first command.
 */
export async function shippedRules<Schema extends z.ZodType>(
  schema: Schema,
  root: string,
  name: string,
): Promise<z.output<Schema>> {
  const file = join(root, "config", "safety", `${name}.yaml`);
  const [text, compiled] = await Promise.all([readRules(file), readCompiled(root, name)]);
  const checked = compiled?.text === text ? schema.safeParse(compiled.value) : undefined;
  if (checked?.success) return checked.data;
  const { parseRules } = await import("./parse-rules.ts");
  return parseRules(schema, text, file);
}

async function readRules(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const message = `${file} is missing: this installation is not complete, install Miracle again`;
    throw fail("environment", "safety.rules-missing", message, { cause });
  }
}

/** Without it, in a checkout that is not built, the YAML is parsed. */
async function readCompiled(root: string, name: string): Promise<z.infer<typeof Compiled> | undefined> {
  try {
    return Compiled.parse(JSON.parse(await readFile(join(root, "dist", `safety-${name}.json`), "utf8")));
  } catch {
    return undefined;
  }
}
