import { z } from "zod";
import { ConfigFile } from "./config-file.ts";

/** The schema for editors: the content of config/schema.json and the output of `miracle config --schema`. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ConfigFile, { io: "input" });
  return { ...schema, title: "Miracle configuration" };
}
