import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../config/package-root.ts";

export function version(): string {
  const { version: text } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
  return String(text);
}
