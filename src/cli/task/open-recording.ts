import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { App } from "../../app.ts";
import { TaskId } from "../../domain/task/task.ts";
import { CassetteRecording, parseCassette } from "../../journal/cassette.ts";
import type { Recording } from "../../journal/recording.ts";
import { chooseTask } from "./choose-task.ts";

/** The recording of a task, or a cassette: a source that is no task id and exists is a file. */
export async function openRecording(
  app: App,
  source: string | undefined,
  flags: { last?: boolean },
  directory: string,
): Promise<Recording> {
  if (source !== undefined && !TaskId.safeParse(source).success) {
    const file = resolve(directory, source);
    if (existsSync(file)) return new CassetteRecording(parseCassette(readFileSync(file, "utf8"), source));
  }
  const task = await chooseTask(app, source, flags, directory);
  return app.recording(task.id);
}
