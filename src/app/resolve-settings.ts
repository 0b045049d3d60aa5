import type { Configuration } from "../config/load-config.ts";
import { forEachRole, type Role } from "../domain/message.ts";
import type { RoleModel, Settings } from "../domain/settings/settings.ts";
import { chooseModel } from "../llm/choose-model.ts";

/** The last step to Settings: each role gets its sequence of models. Throws when no model can be reached. */
export function resolveSettings({ settings, wishes, keys }: Configuration): Settings {
  const hasKey = (variable: string) => keys.get(variable) !== undefined;
  let chosen: string | undefined;
  // Chosen only when a role needs it: roles with models of their own may do without a default.
  const common = () => {
    chosen ??= chooseModel({ providers: settings.providers, hasKey, wanted: wishes.model ?? undefined });
    return [chosen, ...wishes.fallbacks.filter((model) => model !== chosen)];
  };
  const ofRole = (role: Role): RoleModel => {
    const own = wishes.roles[role];
    return {
      models: own?.models ?? common(),
      parameters: own?.parameters ?? wishes.parameters,
      ...(own?.escalate && { escalate: true }),
    };
  };
  return { ...settings, models: forEachRole(ofRole) };
}
