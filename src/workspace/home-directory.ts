import { homedir } from "node:os";

/**
 * The home of the current user. A user without a name has none unless HOME is set. Then there is nothing to protect.
 */
export function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}
