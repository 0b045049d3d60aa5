import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { didYouMean } from "../../config/did-you-mean.ts";
import type { Configuration } from "../../config/load-config.ts";
import { fail } from "../../domain/failure.ts";
import { Role } from "../../domain/message.ts";
import type { Frozen } from "../../journal/frozen.ts";
import { chooseModel } from "../../llm/choose-model.ts";

/** What a person wants to be different from the fork on: `coder=provider/name`, or a model for all; `coder=FILE`. */
interface ForkWishes {
  models: string[];
  prompts: string[];
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
  directory: string,
): ForkChanges {
  const { settings } = parent;
  // What the parent knew goes before what is known today, but a provider or a price may be new.
  const providers = { ...today.providers, ...settings.providers };
  const prices = { ...today.prices, ...settings.prices };
  const models = { ...settings.models };
  for (const wish of wishes.models) {
    const [roles, wanted] = split(wish, "--model");
    const model = chooseModel({ providers, wanted, hasKey: (variable) => keys.get(variable) !== undefined });
    for (const role of roles) models[role] = { ...models[role], models: [model] };
  }
  const prompts = { ...parent.prompts };
  const changed = new Set<Role>();
  for (const wish of wishes.prompts) {
    const [roles, file] = split(wish, "--prompt");
    if (roles.length > 1) throw unreadable(`--prompt ${wish}: say whose prompt it is, as in coder=${wish}`);
    for (const role of roles) {
      prompts[role] = promptIn(directory, file);
      if (prompts[role] !== parent.prompts[role]) changed.add(role);
    }
  }
  const request = { ...parent.request, apply: wishes.apply };
  const frozen = { ...parent, request, prompts, settings: { ...settings, models, providers, prices } };
  // Another model may have another window, or stand elsewhere on a ladder: both are part of what is asked.
  const asksOtherwise = changed.size > 0 || wishes.models.length > 0;
  return { frozen, prompts: [...changed], asksOtherwise };
}

/** `coder=x` is for one role; `x` alone is for all. */
function split(wish: string, flag: string): [Role[], string] {
  const at = wish.indexOf("=");
  if (at === -1) return [Role.options, wish];
  const name = wish.slice(0, at);
  const role = Role.safeParse(name);
  if (role.success) return [[role.data], wish.slice(at + 1)];
  throw unreadable(
    `${flag} ${wish}: there is no role ${name}${didYouMean(name, Role.options)}; roles are ${Role.options.join(", ")}`,
  );
}

function promptIn(directory: string, file: string): string {
  try {
    const text = readFileSync(resolve(directory, file), "utf8").trim();
    if (text !== "") return text;
  } catch (cause) {
    throw fail("invalid-input", "fork.prompt", `--prompt: ${file} cannot be read`, { cause });
  }
  throw unreadable(`--prompt: ${file} is empty`);
}

const unreadable = (message: string) => fail("invalid-input", "fork.flags", message);
