import type { Command } from "commander";
import { newTaskId } from "../../app/task-id.ts";
import { fail } from "../../domain/failure.ts";
import type { Step } from "../../domain/task/step.ts";
import { forkTask, newestSteps } from "../../journal/fork.ts";
import { readFrozen } from "../../journal/journal.ts";
import { redactor } from "../../journal/redact.ts";
import { changeFrozen } from "../input/fork-changes.ts";
import { addApprovalOptions, addBudgetOptions, addViewOptions, collect } from "../input/options.ts";
import { openTask } from "../task/open-task.ts";
import { followResumed, type ResumeFlags } from "../task/resume-task.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { count } from "../text/amounts.ts";

interface Flags extends Omit<ResumeFlags, "model"> {
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
  addBudgetOptions(command)
    .option("--at <step>", "the first step to do anew")
    .option("-m, --model <[role=]provider/name>", "another model from there on (may be repeated)", collect)
    .option("--prompt <role=file>", "another prompt for a role from there on (may be repeated)", collect)
    .option("--apply", "write the result into the directory when it is proven")
    .option("--no-run", "only make the task; `miracle resume` starts it")
    .option("--notify <command>", "run this when the task ends")
    .addHelpText("after", HELP);
  addApprovalOptions(command);
  addViewOptions(command).action(async (id: string, flags: Flags) => {
    await using opened = await openTask(terminal, id, {});
    const { app, config, task: parent } = opened;
    const recording = await app.recording(parent.id);
    const at = findStep(await newestSteps(recording), flags.at, parent.id);
    const wishes = { models: flags.model ?? [], prompts: flags.prompt ?? [], apply: flags.apply === true };
    const changes = changeFrozen(await readFrozen(recording), wishes, config, terminal.directory);
    const task = newTaskId();
    // Before the fork is there: a prune of the parent must not take away what the fork builds on.
    app.artifacts.keepAllOf(parent.id, task);
    const request = { task, at: at.sequence, ...changes, redact: redactor(config.secrets), clock: Date.now };
    const { steps } = await forkTask(app.store, recording, request);
    const note = `task ${task} shares ${count(steps, "step")} with ${parent.id} and goes on at ${at.path}`;
    if (flags.run === false) {
      terminal.output.write(flags.json ? `${JSON.stringify({ task, steps })}\n` : `${note}: miracle resume ${task}\n`);
      return;
    }
    const { model: _, prompt: __, ...limits } = flags;
    finish(await followResumed(terminal, opened, task, limits, note));
  });
}

/** By its number or its path. */
function findStep(steps: Step[], wanted: string | undefined, task: string): Step {
  const step = steps.find(({ sequence, path }) => path === wanted || String(sequence) === wanted);
  if (step) return step;
  const hint = `\`miracle show ${task} --steps\` lists them`;
  const what = wanted === undefined ? "from which step on? give --at" : `task ${task} has no step ${wanted}`;
  throw fail("invalid-input", "fork.step", `${what}; ${hint}`);
}
