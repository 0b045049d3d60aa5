import type { Command } from "commander";
import { goOnFrom } from "../../app/go-on-from.ts";
import { Answer, prepareQuestion, QUESTION_POLICY, USUAL_QUESTION_TOKENS } from "../../app/prepare-question.ts";
import type { RunEnd } from "../../app/run-options.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import { positiveInteger } from "../../config/parse-setting.ts";
import { findTask } from "../../store/tasks.ts";
import { workingDirectory } from "../input/directory.ts";
import { checked } from "../input/options.ts";
import { readGoal } from "../input/read-goal.ts";
import { followRun } from "../task/follow-run.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { linesFor } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { cost, grouped, tokens } from "../text/amounts.ts";
import { answerLines } from "../text/answer-text.ts";
import { line } from "../text/line.ts";

interface Flags extends ConfigFlags {
  dir?: string;
  task?: string;
  json?: boolean;
  quiet?: boolean;
}

const HELP = `
Only files are read: nothing runs and nothing is changed. Each place that the answer names was found in the files before
you see it. A question never uses more tokens than its budget, by default ${grouped(USUAL_QUESTION_TOKENS)}.

Examples:
  miracle ask "where are prices rounded?"
  miracle ask "what happens when a request times out?" --max-tokens 40000`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--dir <path>", "the directory to ask about; default: where you are")
    .option("-m, --model <provider/name>", "the model that answers")
    .option("--base-url <url>", "an OpenAI-compatible server")
    .option("--task <id>", "ask the model that this task asked, with what it did in mind")
    .option("--max-tokens <n>", "never use more tokens than this", checked(positiveInteger))
    .option("--json", "the answer as JSON")
    .option("-q, --quiet", "no progress, only the answer")
    .addHelpText("after", HELP)
    .action(async (words: string[], flags: Flags) => {
      const goal = await readGoal(words, terminal);
      const directory = workingDirectory(terminal.directory, flags.dir);
      const budget = flags.maxTokens ?? USUAL_QUESTION_TOKENS;
      await using opened = await openApp(terminal, directory, { ...flags, maxTokens: budget });
      const { app } = opened;
      const before = flags.task === undefined ? null : await goOnFrom(app, await findTask(app.store, flags.task));
      const isOther = flags.model !== undefined || flags.baseUrl !== undefined;
      const { models, ...context } = before ?? {};
      const past = { ...context, ...(!isOther && models && { models }) };
      const { request, settings, prompts } = prepareQuestion(opened.config, { question: goal, directory, past });
      let answer: Answer | undefined;
      let used = 0;
      let costMicros: number | null = 0;
      app.bus.subscribe((message) => {
        if (message.type === "role-answered") answer = Answer.parse(message.result);
        if (message.type !== "model-called") return;
        const { usage } = message;
        used += usage.inputTokens + usage.outputTokens;
        costMicros = costMicros === null || usage.costMicros === null ? null : costMicros + usage.costMicros;
      });
      const describeEnd = (end: RunEnd): string | null =>
        answer && end.ended === "stopped" ? answerText(terminal, answer, flags) : null;
      using followed = await followRun({
        terminal,
        opened,
        mode: flags.json || flags.quiet ? "quiet" : "live",
        approve: QUESTION_POLICY,
        notify: null,
        notes: [`${settings.models.planner.models[0]} reads, at most ${grouped(budget)} tokens (--max-tokens)`],
        describeEnd,
      });
      const exit = await followed.showEnd(await app.start(request, settings, prompts, followed.options));
      if (answer && !flags.json && !flags.quiet) {
        terminal.error.write(linesFor(terminal, terminal.error, [line(`${tokens(used)}, ${cost(costMicros)}`, "dim")]));
      }
      finish(exit);
    });
}

const answerText = (terminal: Terminal, answer: Answer, { json }: Flags): string =>
  json ? `${JSON.stringify(answer)}\n` : linesFor(terminal, terminal.output, answerLines(answer));
