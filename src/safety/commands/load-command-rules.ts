import type { z } from "zod";
import { shippedRules } from "../rules/shipped-rules.ts";
import { CommandRulesFile } from "./judging/command-rules.ts";

/** The rules that ship, from `config/safety` below the package's root. A judgement needs the list of packages, too. */
export const loadCommandRules = (root: string): Promise<z.infer<typeof CommandRulesFile>> =>
  shippedRules(CommandRulesFile, root, "commands");
