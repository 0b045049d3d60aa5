import type { Command } from "commander";
import { makeFork } from "../../app/fork-task.ts";
import { newTaskId } from "../../app/task-id.ts";
import { findStep } from "../../app/task-steps.ts";
import { fail } from "../../domain/failure.ts";
import type { Step } from "../../domain/task/step.ts";
import type { Recording } from "../../journal/recording.ts";
import { forkWishes } from "../input/fork-wishes.ts";
import { addApprovalOptions, addBudgetOptions, addViewOptions, collect } from "../input/options.ts";
import { openTask } from "../task/open-task.ts";
import { followResumed, type ResumeFlags } from "../task/resume-task.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { count } from "../text/amounts.ts";

interface Flags extends Omit<ResumeFlags, "model"> {
  last?: boolean;
  at?: string;
  model?: string[];
  prompt?: string[];
  apply?: boolean;
  run?: boolean;
}

const HELP = `
STEP is a number or a path, as \`miracle show ID --steps\` lists them: it is the first step that is done anew. What was
recorded before it is shared with the new task, which has a budget of its own and keeps its result until \`miracle apply\`.

Examples:
  miracle fork ID --at 42 --model anthropic/claude-sonnet-5-5
  miracle fork ID --at todo:parser/iteration:2/code/1 --model coder=openai/gpt-6.1-sol
  miracle fork ID --at 17 --prompt coder=my-coder.md
  miracle diff ID FORK            where the two runs differ, and what came of it`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  addBudgetOptions(command.option("--last", "the newest task of this directory, or of all where it has none"))
    .option("--at <step>", "the first step to do anew")
    .option("-m, --model <[role=]provider/name>", "another model from there on (may be repeated)", collect)
    .option("--prompt <role=file>", "another prompt for a role from there on (may be repeated)", collect)
    .option("--apply", "write the result into the directory when it is proven")
    .option("--no-run", "only make the task; `miracle resume` starts it")
    .option("--notify <command>", "run this when the task ends")
    .addHelpText("after", HELP);
  addApprovalOptions(command);
  addViewOptions(command).action(async (id: string | undefined, flags: Flags) => {
    await using opened = await openTask(terminal, id, flags);
    const { app, config, task: parent } = opened;
    const at = await stepOf(await app.recording(parent.id), flags.at);
    const wishes = forkWishes(flags, terminal.directory);
    const task = newTaskId();
    const { steps } = await makeFork(app, config, { parent: parent.id, at, wishes, task });
    const note = `task ${task} shares ${count(steps, "step")} with ${parent.id} and goes on at ${at.path}`;
    if (flags.run === false) {
      terminal.output.write(flags.json ? `${JSON.stringify({ task, steps })}\n` : `${note}: miracle resume ${task}\n`);
      return;
    }
    const { last: _, model: __, prompt: ___, ...limits } = flags;
    finish((await followResumed(terminal, opened, task, limits, note)).exit);
  });
}

/** By its number or its path. */
async function stepOf(recording: Recording, wanted: string | undefined): Promise<Step> {
  const step = wanted === undefined ? undefined : await findStep(recording, wanted);
  if (step) return step;
  const { task } = recording;
  const hint = `\`miracle show ${task} --steps\` lists them`;
  const what = wanted === undefined ? "from which step on? give --at" : `task ${task} has no step ${wanted}`;
  throw fail("invalid-input", "fork.step", `${what}; ${hint}`);
}
