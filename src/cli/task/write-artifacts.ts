import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RoleArtifact } from "../../domain/task/role-artifacts.ts";
import { cannotWrite } from "./cannot-write.ts";

/** Writes them below a directory, each under its own name. */
export function writeArtifacts(artifacts: RoleArtifact[], directory: string, force: boolean): void {
  for (const { path, content } of artifacts) {
    const file = join(directory, path);
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { flag: force ? "w" : "wx", mode: 0o600 });
    } catch (cause) {
      throw cannotWrite(file, "artifacts.unwritable", cause);
    }
  }
}
