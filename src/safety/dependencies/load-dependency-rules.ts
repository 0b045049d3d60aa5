import { shippedRules } from "../rules/shipped-rules.ts";
import { DependencyRules } from "./dependency-rules.ts";

/** The list that ships, from `config/safety` below the package's root. */
export const loadDependencyRules = (root: string): Promise<DependencyRules> =>
  shippedRules(DependencyRules, root, "dependencies");
