import { homedir } from "node:os";

/** Of the user who runs this. A user without a name has none, unless HOME says so; then there is none to protect. */
export function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}
