import type { Grammar } from "../syntax/parse.ts";
import { GO_MUTATIONS } from "./go/mutations.ts";
import { JAVASCRIPT_MUTATIONS } from "./javascript/mutations.ts";
import type { Mutations } from "./mutations.ts";
import { PYTHON_MUTATIONS } from "./python/mutations.ts";

/** One line for each grammar. */
export const MUTATIONS: Record<Grammar, Mutations> = {
  python: PYTHON_MUTATIONS,
  javascript: JAVASCRIPT_MUTATIONS,
  typescript: JAVASCRIPT_MUTATIONS,
  tsx: JAVASCRIPT_MUTATIONS,
  go: GO_MUTATIONS,
};
