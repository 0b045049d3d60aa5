import { z } from "zod";
import { ConfigFile } from "./config-file.ts";

/** For editors: what config/schema.json holds and `miracle config --schema` prints. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ConfigFile, { io: "input" });
  return { ...schema, title: "Miracle configuration" };
}
