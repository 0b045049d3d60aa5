import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { App } from "../../app.ts";
import { TaskId } from "../../domain/task/task.ts";
import { CassetteRecording, parseCassette } from "../../journal/cassette.ts";
import type { Recording } from "../../journal/recording.ts";
import { taskMeant } from "./find-task.ts";

/** A task of the database, or a cassette: whatever is no id of ours and exists is a file. */
export async function recordingMeant(
  app: App,
  source: string | undefined,
  flags: { last?: boolean },
  directory: string,
): Promise<Recording> {
  if (source !== undefined && !TaskId.safeParse(source).success) {
    const file = resolve(directory, source);
    if (existsSync(file)) return new CassetteRecording(parseCassette(readFileSync(file, "utf8"), source));
  }
  const task = await taskMeant(app, source, flags, directory);
  return app.recording(task.id);
}
