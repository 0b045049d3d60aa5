import type { Role, ToolSchema } from "../domain/message.ts";
import { roles } from "./roles.ts";
import { parametersOf } from "./tools/tool.ts";

/**
 * The schemas a role's model is shown, `finish` last. They are the same in every run, and making them takes 10 ms: in
 * the built program this module is replaced by what it returns.
 */
export function toolSchemas(role: Role): ToolSchema[] {
  const { tools, result } = roles[role];
  const finish = { name: "finish", description: "End your work with its result.", parameters: parametersOf(result) };
  return [...tools.map((tool) => tool.schema()), finish];
}
