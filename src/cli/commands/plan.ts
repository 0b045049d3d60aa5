import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { checkBeforehand } from "../../app/check-beforehand.ts";
import { detectedTemplate } from "../../app/detect-type.ts";
import { resolveSettings } from "../../app/resolve-settings.ts";
import type { RunEnd } from "../../app/run-options.ts";
import { withUsualLimit } from "../../app/usual-limit.ts";
import { isDelta } from "../../bus/bus.ts";
import { packageRoot } from "../../config/package-root.ts";
import { readPrompts } from "../../config/prompts.ts";
import { PlanFile } from "../../domain/plan/plan-file.ts";
import { writePlan } from "../../domain/plan/write-plan.ts";
import { attachFiles } from "../input/attach-files.ts";
import { workingDirectory } from "../input/directory.ts";
import { addSettingOptions, collect, runPolicy } from "../input/options.ts";
import { readGoal } from "../input/read-goal.ts";
import { cannotWrite } from "../task/cannot-write.ts";
import { followRun } from "../task/follow-run.ts";
import { openApp } from "../task/open-app.ts";
import type { StartFlags } from "../task/prepare-task.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { linesFor } from "../terminal/paint.ts";
import { line } from "../text/line.ts";
import { planText } from "../text/plan-text.ts";
import { printable } from "../text/printable.ts";

interface Flags extends StartFlags {
  dir?: string;
  output?: string;
  force?: boolean;
}

const HELP = `
Nothing is written but the plan. It can be edited and run. Beside what it has, every todo may have a description,
priority, acceptance_criteria (commands), metrics, files (what it may write), preconditions, postconditions, effects,
timeout_ms, retries and max_debug_attempts; \`miracle validate --schema plan\` tells all of it.

Examples:
  miracle plan "Build a CLI that counts words"
  miracle plan "Build a CLI that counts words" -o plan.yaml && miracle run --plan plan.yaml`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  addSettingOptions(command)
    .option("--dir <path>", "the directory to plan for; default: where you are")
    .option("--attach <file>", "give this image or file to the model (may be repeated)", collect)
    .option("-o, --output <file>", "write the plan here, as YAML, or as JSON where the name ends so")
    .option("-f, --force", "write over an existing file")
    .option("--json", "the plan as JSON on stdout")
    .option("-q, --quiet", "no progress, only the plan")
    .addHelpText("after", HELP)
    .action(async (words: string[], flags: Flags) => {
      const goal = await readGoal(words, terminal);
      const attachments = attachFiles(flags.attach ?? [], terminal.directory);
      const directory = workingDirectory(terminal.directory, flags.dir);
      await using opened = await openApp(terminal, directory, flags);
      const { app, config } = opened;
      // Without a plan there is nothing to show, so a config file cannot leave it out here.
      const settings = { ...withUsualLimit(resolveSettings(config), flags), direct: false };
      await checkBeforehand(directory, goal, { direct: false, isPlanned: false, writesFiles: false });
      const shipped = readPrompts(packageRoot(), config.promptOverrides);
      const typed = await detectedTemplate(app, goal, directory, config, shipped);
      let plan: PlanFile | undefined;
      app.bus.subscribe((message) => {
        if (isDelta(message) || message.type !== "plan-made") return;
        const { size, spec, plan: graph, relevantFiles } = message;
        plan = PlanFile.parse({ goal, size, spec, plan: graph, relevantFiles });
      });
      const describeEnd = (end: RunEnd): string | null => {
        if (end.ended !== "stopped" || end.reason !== "planned" || !plan) return null;
        if (flags.json) return `${JSON.stringify(writePlan(plan), null, 2)}\n`;
        // Who watched has seen its requirements as soon as they were made.
        const isSeen = !flags.quiet && terminal.output.isTTY === true && terminal.error.isTTY === true;
        const next = [line(""), line(`  go on with it: miracle resume ${end.task}`)];
        return linesFor(terminal, terminal.output, [...planText(plan, { isSeen }), ...next]);
      };
      using followed = await followRun({
        terminal,
        opened,
        mode: flags.json || flags.quiet ? "quiet" : "live",
        approve: runPolicy(flags),
        notify: null,
        ...(typed && { notes: [typed.note], onTask: typed.used?.handOver }),
        describeEnd,
      });
      const request = { goal, ...typed?.request, directory, attachments, apply: true };
      const options = { ...followed.options, planOnly: true };
      const end = await app.start(request, settings, typed?.prompts ?? shipped, options);
      const exit = await followed.showEnd(end);
      if (plan && flags.output !== undefined) {
        await write(resolve(terminal.directory, flags.output), plan, flags);
        const next = `edit it if you like, then: miracle run --plan ${flags.output}`;
        if (!flags.quiet) terminal.error.write(printable(`the plan is in ${flags.output}; ${next}`).concat("\n"));
      }
      finish(exit);
    });
}

async function write(place: string, plan: PlanFile, { output = "", force }: Flags): Promise<void> {
  const { stringify } = await import("yaml");
  const written = writePlan(plan);
  const text = output.endsWith(".json") ? `${JSON.stringify(written, null, 2)}\n` : stringify(written);
  try {
    writeFileSync(place, text, { flag: force ? "w" : "wx" });
  } catch (cause) {
    throw cannotWrite(output, "plan.unwritable", cause);
  }
}
