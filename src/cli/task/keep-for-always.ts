import { keepRule } from "../../config/keep-rule.ts";
import type { ApprovalRequest } from "../../domain/approval.ts";
import { ruleOf } from "../../domain/settings/always-rule.ts";
import type { Store } from "../../store/store.ts";
import { findTask } from "../../store/tasks.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The same is not asked again in the directory of this task: a rule in the person's own settings says so. */
export async function keepForAlways(
  terminal: Terminal,
  store: Store,
  task: string,
  request: ApprovalRequest,
): Promise<void> {
  const { directory } = await findTask(store, task);
  const file = keepRule(ruleOf(request, directory), terminal);
  terminal.error.write(`from now on allowed in ${directory}: the rule is in ${file} (safety.always)\n`);
}
