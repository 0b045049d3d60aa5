import type { RunEnd } from "../../app/run-options.ts";
import type { PlanFile } from "../../domain/plan/plan-file.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { type Following, followRun } from "./follow-run.ts";
import { openApp } from "./open-app.ts";
import { prepareTask, type StartFlags, type WantedTask } from "./prepare-task.ts";
import { stay } from "./stay.ts";

/** Starts a task and follows it to its result; at a terminal the person can then say the next thing. */
export async function startTask(context: CommandContext, wanted: WantedTask, flags: StartFlags): Promise<number> {
  let words: string | undefined;
  let plan: PlanFile | undefined;
  const { end, exit, keepable } = await follow(context, wanted, flags, {
    onWords: (said) => {
      words = said;
    },
    onPlan: (edited) => {
      plan = edited;
    },
    describeEnd: () => (plan ? "the plan is as you wrote it: it is begun anew with it\n" : null),
  });
  // What a template added to the goal stands in the plan.
  if (plan) return startTask(context, { ...wanted, plan, template: "none" }, flags);
  return stay(context, { end, exit, flags, keepable, ...(words !== undefined && { words }) });
}

async function follow(
  { terminal }: CommandContext,
  wanted: WantedTask,
  flags: StartFlags,
  hearing: Pick<Following, "onWords" | "onPlan" | "describeEnd">,
): Promise<{ end: RunEnd; exit: number; keepable: number }> {
  await using opened = await openApp(terminal, wanted.directory, flags);
  const { request, settings, prompts, following } = await prepareTask(terminal, opened, wanted, flags);
  using followed = await followRun({ ...following, ...hearing, listens: true });
  const end = await opened.app.start(request, settings, prompts, followed.options);
  return { end, exit: await followed.showEnd(end), keepable: followed.keepable() };
}
