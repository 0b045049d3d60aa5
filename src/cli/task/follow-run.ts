import type { RunEnd, RunOptions, RunPolicy } from "../../app/run-options.ts";
import type { OpenedApp } from "../../app.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import { PlanFile } from "../../domain/plan/plan-file.ts";
import type { Event } from "../../domain/task/event.ts";
import { askApproval } from "../terminal/ask-approval.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { openView, type View, type ViewOptions } from "../terminal/live-view.ts";
import { notify } from "../terminal/notify.ts";
import { columnsOf, linesFor, say } from "../terminal/paint.ts";
import { canRedraw, isInteractive, type Terminal } from "../terminal/terminal.ts";
import type { ExitCode } from "../text/exit-codes.ts";
import { printable } from "../text/printable.ts";
import { exitCodeOfRun, resultLines } from "../text/result-text.ts";
import { tellInWords } from "./tell-in-words.ts";
import { watchDiff } from "./watch-diff.ts";

export interface Following {
  terminal: Terminal;
  opened: OpenedApp;
  mode: ViewOptions["mode"];
  /** What is allowed without asking. */
  approve: RunPolicy;
  notify: string | null;
  maxIterations?: number;
  /** Shown when the run begins: not before the task is ours. */
  notes?: string[];
  /** Called when the task has its id. */
  onTask?: ((task: string) => void) | undefined;
  /** Written at the end in place of the result; null: the result after all. */
  describeEnd?: (end: RunEnd) => string | null;
  /** What a person types while they watch is told to the task. */
  listens?: boolean;
  /** Called with what a person says of a finished change instead of yes or no. */
  onWords?: (words: string) => void;
  /** Called with a plan that a person wrote in the place of the one they were shown. */
  onPlan?: (plan: PlanFile) => void;
  /** What happened before, where a task goes on. */
  past?: AsyncIterable<Event>;
}

/** A run that a person follows at the terminal, from before it starts to after its end. */
interface FollowedRun extends Disposable {
  /** For the app, which starts or resumes the task. */
  options: RunOptions;
  /** How many tests that the coder did not see could be kept with the result. */
  keepable(): number;
  /** Writes the result on stdout and tells the person's own command; gives the exit code. */
  showEnd(end: RunEnd): Promise<ExitCode>;
}

/** Shows progress, puts questions to the person and listens for Ctrl-C until it is disposed of. */
export async function followRun(following: Following): Promise<FollowedRun> {
  const { terminal, opened, mode, maxIterations } = following;
  using opening = new DisposableStack();
  let id = "";
  const onTyped = following.listens ? (words: string) => void hearTyped(following, view, id, words) : undefined;
  const view = opening.use(openView(terminal, { mode, onTyped, ...(maxIterations && { maxIterations }) }));
  for (const warning of opened.config.warnings) view.note(`warning: ${warning}`);
  for await (const event of following.past ?? []) view.recall(event);
  const interrupts = opening.use(
    listenForInterrupts(
      () => view.note("stopping after what is under way; press Ctrl-C again to stop at once"),
      () => view[Symbol.dispose](),
    ),
  );
  opened.app.bus.subscribe(view.show);
  if (mode === "live" && canRedraw(terminal)) opening.use(watchDiff(opened.app, view.grow.bind(view)));
  let plan: PlanFile | undefined;
  opened.app.bus.subscribe((message) => {
    if (message.type !== "plan-made" && message.type !== "plan-updated") return;
    const { size, spec, plan: graph } = message;
    const relevantFiles = message.type === "plan-made" ? message.relevantFiles : plan?.relevantFiles;
    plan = PlanFile.parse({ size, spec, plan: graph, relevantFiles });
  });
  const resources = opening.move();
  let isContinued = false;
  const onWords = (words: string): void => {
    isContinued = true;
    following.onWords?.(words);
  };
  return {
    options: {
      signal: interrupts.signal,
      onTask: (task) => {
        id = task;
        following.onTask?.(task);
        for (const line of following.notes ?? []) view.note(line);
      },
      approve: following.approve,
      hooks: opened.config.hooks,
      outside: true,
      ...askPerson(
        { ...following, onWords },
        view,
        () => id,
        () => plan,
      ),
    },
    keepable: () => view.model.keepable,
    showEnd: (end) => {
      view[Symbol.dispose]();
      return showEnd(following, view, end, isContinued);
    },
    [Symbol.dispose]: () => resources.dispose(),
  };
}

/** Words are told to the task; an answer to no question is none. */
async function hearTyped({ terminal, opened }: Following, view: View, task: string, words: string): Promise<void> {
  if (/^(y|yes|n|no)$/i.test(words)) return view.note("nothing is asked at the moment", "dim");
  if (task === "") return view.note("the task is about to begin: say it again in a moment", "warn");
  try {
    await tellInWords(terminal, opened, task, words);
    view.note(`you say: ${printable(words)} (heard before the next tests, or when this iteration has ended)`);
  } catch (error) {
    if (!(error instanceof TerminalFailure)) throw error;
    view.note(`not heard: ${printable(error.failure.message)}`, "warn");
  }
}

function askPerson(
  { terminal, opened, mode, onWords, onPlan }: Following & { onWords: (words: string) => void },
  view: View,
  task: () => string,
  plan: () => PlanFile | undefined,
): Pick<RunOptions, "ask"> {
  if (!isInteractive(terminal)) return {};
  const edit = (shown: PlanFile, use: (edited: PlanFile) => void) => async () => {
    const { editPlan } = await import("./edit-plan.ts");
    const edited = await editPlan(terminal, shown);
    if (edited) use(edited);
    return edited !== null;
  };
  const offers = (shown: PlanFile | undefined) =>
    shown ? { isShown: mode === "live", ...(onPlan && { edit: edit(shown, onPlan) }) } : {};
  return {
    ask: (request, signal) =>
      view.aside(() =>
        askApproval(terminal, request, signal, {
          ...offers(request.subject === "plan" ? plan() : undefined),
          keep: async () => {
            const { keepForAlways } = await import("./keep-for-always.ts");
            await keepForAlways(terminal, opened.app.store, task(), request);
          },
          hear: async (words, subject) => {
            // A change that is finished is not gone on with: what is said of it is worked in from its result.
            if (subject === "diff") onWords(words);
            else await tellInWords(terminal, opened, task(), words);
            return subject === "plan";
          },
        }),
      ),
  };
}

async function showEnd(
  { terminal, mode, ...following }: Following,
  view: View,
  end: RunEnd,
  isContinued: boolean,
): Promise<ExitCode> {
  const exitCode = exitCodeOfRun(end);
  if (end.ended === "failed") say(terminal, `miracle: ${end.failure.message}`, "bad");
  const text = following.describeEnd?.(end) ?? null;
  if (text !== null) terminal.output.write(text);
  else if (mode === "json") terminal.output.write(`${JSON.stringify({ type: "run-ended", ...end, exitCode })}\n`);
  else {
    const { output } = terminal;
    const width = output.isTTY === true ? { columns: columnsOf(output) } : {};
    output.write(linesFor(terminal, output, resultLines(end, view.model, Date.now(), { ...width, isContinued })));
  }
  if (following.notify !== null) {
    const status = end.ended === "settled" ? end.outcome.status : end.ended;
    await notify(terminal, following.notify, { MIRACLE_TASK: end.task, MIRACLE_STATUS: status });
  }
  return exitCode;
}
