import type { Configuration } from "../config/load-config.ts";
import { Role } from "../domain/message.ts";
import type { Frozen } from "../journal/frozen.ts";
import { chooseModel } from "../llm/choose-model.ts";

/** What a person wants to be different from the fork on. */
export interface ForkWishes {
  /** In order; a later one wins. */
  models: { roles: Role[]; name: string }[];
  prompts: Partial<Record<Role, string>>;
  apply: boolean;
}

interface ForkChanges {
  frozen: Frozen;
  /** Roles that have another prompt. */
  prompts: Role[];
  asksOtherwise: boolean;
}

/** What the parent was started with, changed as wished. The rest stays, so that the shared steps still fit. */
export function changeFrozen(
  parent: Frozen,
  wishes: ForkWishes,
  { settings: today, keys }: Pick<Configuration, "settings" | "keys">,
): ForkChanges {
  const { settings } = parent;
  // What the parent knew goes before what is known today, but a provider or a price may be new.
  const providers = { ...today.providers, ...settings.providers };
  const prices = { ...today.prices, ...settings.prices };
  const models = { ...settings.models };
  for (const { roles, name } of wishes.models) {
    const model = chooseModel({ providers, wanted: name, hasKey: (variable) => keys.get(variable) !== undefined });
    for (const role of roles) models[role] = { ...models[role], models: [model] };
  }
  const prompts = { ...parent.prompts, ...wishes.prompts };
  const changed = Role.options.filter((role) => prompts[role] !== parent.prompts[role]);
  const request = { ...parent.request, apply: wishes.apply };
  const frozen = { ...parent, request, prompts, settings: { ...settings, models, providers, prices } };
  // Another model may have another window, or stand elsewhere on a ladder: both are part of what is asked.
  const asksOtherwise = changed.length > 0 || wishes.models.length > 0;
  return { frozen, prompts: changed, asksOtherwise };
}
