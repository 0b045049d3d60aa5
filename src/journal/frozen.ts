import { z } from "zod";
import { perRole, ToolSchema } from "../domain/message.ts";
import { Settings } from "../domain/settings.ts";
import { TaskRequest } from "../domain/task.ts";

/**
 * What a task is steered by, fixed when it starts: an upgrade, an edited prompt or a changed price table does not reach
 * a task that is waiting to be resumed.
 */
export const Frozen = z.object({
  request: TaskRequest,
  settings: Settings,
  prompts: perRole(z.string()),
  tools: perRole(z.array(ToolSchema)),
  /** Source of everything random in the task. */
  seed: z.string(),
  /** The Miracle that started it. */
  version: z.string(),
});
export type Frozen = z.infer<typeof Frozen>;
