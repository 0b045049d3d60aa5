import { UserRepository } from "../workspace/user-repository.ts";

/** The version that tools read from a repository: its nearest tag. Without a tag or a repository: the first that counts. */
export async function nearestTag(directory: string): Promise<string> {
  try {
    const { repository } = UserRepository.find(directory);
    const tag = await repository.ask(["describe", "--tags", "--abbrev=0"]);
    return /\d+(?:\.\d+)+[\w.]*$/.exec(tag.trim())?.[0] ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

const UNKNOWN = "0.1.0";
