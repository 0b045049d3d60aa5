import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ForkWishes } from "../../app/fork-changes.ts";
import { didYouMean } from "../../config/did-you-mean.ts";
import { fail } from "../../domain/failure.ts";
import { Role } from "../../domain/message.ts";

/** As flags say it: `coder=provider/name`, or a model for all; `coder=FILE`. */
export function forkWishes(
  flags: { model?: string[] | undefined; prompt?: string[] | undefined; apply?: boolean | undefined },
  directory: string,
): ForkWishes {
  const models = (flags.model ?? []).map((wish) => {
    const [roles, name] = split(wish, "--model");
    return { roles, name };
  });
  const prompts: ForkWishes["prompts"] = {};
  for (const wish of flags.prompt ?? []) {
    const [roles, file] = split(wish, "--prompt");
    if (roles.length > 1) throw unreadable(`--prompt ${wish}: say whose prompt it is, as in coder=${wish}`);
    for (const role of roles) prompts[role] = promptIn(directory, file);
  }
  return { models, prompts, apply: flags.apply === true };
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
