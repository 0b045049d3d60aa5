import { z } from "zod";
import { perRole, Role, ToolSchema } from "../domain/message.ts";
import { Settings } from "../domain/settings/settings.ts";
import { TaskRequest } from "../domain/task/task.ts";

/** The format of recordings that this version writes and reads. */
export const FORMAT = 2;

/**
 * What steers a task, fixed when it starts. An upgrade, an edited prompt or a changed price table does not affect a
 * task that waits to be resumed.
 */
export const Frozen = z.object({
  /** The format of the whole recording. It rises when a step, its input or its output changes its meaning. */
  format: z.literal(FORMAT),
  request: TaskRequest,
  settings: Settings,
  prompts: perRole(z.string()),
  tools: perRole(z.array(ToolSchema)),
  /** The source of all randomness in the task. */
  seed: z.string(),
  /** The version of Miracle that started the task. */
  version: z.string(),
  /** For a fork: its parent, and how much of the parent's past it has. */
  fork: z
    .object({
      task: z.string(),
      /** The parent's first step that was done anew. */
      at: z.int(),
      /** How many steps of this task come from the parent. */
      steps: z.int(),
      /** Roles with another prompt than the parent's. */
      prompts: z.array(Role),
      /** How many steps of this task, from the first, asked the model with other prompts than this task's. */
      askedOtherwise: z.int(),
    })
    .optional(),
});
export type Frozen = z.infer<typeof Frozen>;
