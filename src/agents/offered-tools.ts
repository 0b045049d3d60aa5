import { forEachRole, type Role, type ToolSchema } from "../domain/message.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { toolSchemas } from "./tool-schemas.ts";

const ADD = "add_dependency";

/** The schemas that each role is shown in a task. A package is asked for only where it could be installed. */
export function offeredTools({ sandbox, safety }: Pick<Settings, "sandbox" | "safety">): Record<Role, ToolSchema[]> {
  const isReachable = Object.values(safety.registries ?? {}).some((hosts) => hosts.length > 0);
  const canAdd = sandbox.backend === "bubblewrap" && isReachable;
  return forEachRole((role) => toolSchemas(role).filter(({ name }) => canAdd || name !== ADD));
}

/** Whether the coder of this task can ask for packages. */
export const mayAddPackages = ({ coder }: Record<Role, ToolSchema[]>): boolean =>
  coder.some(({ name }) => name === ADD);
