import { z } from "zod";
import { perRole, Role, ToolSchema } from "../domain/message.ts";
import { Settings } from "../domain/settings/settings.ts";
import { TaskRequest } from "../domain/task/task.ts";

/** Of recordings that this Miracle writes and reads. */
export const FORMAT = 1;

/**
 * What a task is steered by, fixed when it starts: an upgrade, an edited prompt or a changed price table does not reach
 * a task that is waiting to be resumed.
 */
export const Frozen = z.object({
  /** Of everything that is recorded: raised when a step, its input or its output changes its meaning. */
  format: z.literal(FORMAT),
  request: TaskRequest,
  settings: Settings,
  prompts: perRole(z.string()),
  tools: perRole(z.array(ToolSchema)),
  /** Source of everything random in the task. */
  seed: z.string(),
  /** The Miracle that started it. */
  version: z.string(),
  /** Of a fork: whose past it has, and how much of it. */
  fork: z
    .object({
      task: z.string(),
      /** The parent's step that was the first to be done anew. */
      at: z.int(),
      /** Steps of this task that were the parent's. */
      steps: z.int(),
      /** Roles whose prompt is another one than in the past. */
      prompts: z.array(Role),
      /** Steps of this task, from the first, whose model was asked with other prompts than this task's. */
      askedOtherwise: z.int(),
    })
    .optional(),
});
export type Frozen = z.infer<typeof Frozen>;
