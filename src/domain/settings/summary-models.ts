import type { Role } from "../message.ts";
import type { Settings } from "./settings.ts";

/**
 * Who shortens the old turns of a role: the model that was named, or else the small one of the role's provider. The role's
 * own models stand behind it. The first of a ladder is the cheapest by its person's own word.
 */
export function summaryModels(
  role: Role,
  { models, providers, summaries }: Pick<Settings, "models" | "providers" | "summaries">,
): string[] {
  const { models: own, escalate } = models[role];
  const [provider = ""] = own[0]?.split("/", 1) ?? [];
  const small = escalate ? undefined : providers[provider]?.smallModel;
  const first = summaries?.model ?? (small === undefined ? undefined : `${provider}/${small}`);
  return [...new Set([...(first === undefined ? [] : [first]), ...own])];
}
