import type { Role, ToolSchema } from "../domain/message.ts";
import { roles } from "./roles.ts";
import { parametersOf } from "./tools/tool.ts";

/**
 * The schemas that a role's model is shown, `finish` last. They are the same in every run, and making them takes 10 ms.
 * So the build replaces this module by its results.
 */
export function toolSchemas(role: Role): ToolSchema[] {
  const { tools, result } = roles[role];
  const finish = { name: "finish", description: "End your work with its result.", parameters: parametersOf(result) };
  return [...tools.map((tool) => tool.schema()), finish];
}
