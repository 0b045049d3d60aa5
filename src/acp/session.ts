import { type AgentContext, methods, type PromptResponse, type SessionUpdate } from "@agentclientprotocol/sdk";
import { checkedGoal } from "../app/checked-goal.ts";
import { type Followed, goOnFrom } from "../app/go-on-from.ts";
import { prepareGoal } from "../app/prepare-goal.ts";
import { Answer, prepareQuestion, QUESTION_POLICY, USUAL_QUESTION_TOKENS } from "../app/prepare-question.ts";
import type { RunEnd, RunOptions } from "../app/run-options.ts";
import type { App, OpenedApp } from "../app.ts";
import type { Delta } from "../bus/bus.ts";
import type { ConfigFlags } from "../config/flags.ts";
import { type AlwaysRule, ruleOf } from "../domain/settings/always-rule.ts";
import type { Event } from "../domain/task/event.ts";
import { Stopped } from "../engine/hands/stop.ts";
import { findTask } from "../store/tasks.ts";
import { askEditor } from "./ask-editor.ts";
import { resultText, withoutImages } from "./markdown.ts";
import { SessionUpdates } from "./session-updates.ts";

/** What a session works with. Each prompt opens the directory's settings anew, as a command does. */
export interface SessionParts {
  open(directory: string, flags?: ConfigFlags): Promise<OpenedApp>;
  texts: Texts;
  /** Who sits at the editor, for the record. */
  person: string;
  /** Writes a rule into the person's own settings. */
  keepRule(rule: AlwaysRule): void;
}

/** What is said, in the words of the command line. */
interface Texts {
  event(event: Event): string | null;
  answer(answer: Answer): string;
  /** Hears a run from its beginning, and tells its result. */
  story(): { hear(message: Event | Delta): void; result(end: RunEnd): string };
}

/** The editor that a session belongs to. */
export interface Editor {
  client: AgentContext;
  hasForms: boolean;
}

/** A conversation of an editor about one directory: goals that follow on each other, and questions about the code. */
export class Session {
  readonly id: string;
  readonly directory: string;
  readonly #parts: SessionParts;
  #under: { stop: AbortController; ended: Promise<unknown> } | undefined;
  /** The task whose result the next goal goes on from. */
  #last: string | undefined;

  constructor(id: string, directory: string, parts: SessionParts) {
    this.id = id;
    this.directory = directory;
    this.#parts = parts;
  }

  get isBusy(): boolean {
    return this.#under !== undefined;
  }

  /** What is under way stops at its next step, and can be resumed. */
  async cancel(): Promise<void> {
    this.#under?.stop.abort(new Stopped("interrupted"));
    await this.#under?.ended;
  }

  /** Works on a goal, or answers what ends with a question mark; the end is told before the prompt is answered. */
  async prompt(words: string, editor: Editor): Promise<PromptResponse> {
    const stop = new AbortController();
    const ended = this.#work(checkedGoal(words), editor, stop.signal);
    this.#under = { stop, ended: ended.catch(() => {}) };
    try {
      return { stopReason: (await ended) ? "cancelled" : "end_turn" };
    } finally {
      this.#under = undefined;
    }
  }

  /** Answers whether it was stopped from outside. */
  async #work(words: string, { client, hasForms }: Editor, signal: AbortSignal): Promise<boolean> {
    const { open, texts, person, keepRule } = this.#parts;
    const isQuestion = words.endsWith("?");
    await using opened = await open(this.directory, isQuestion ? { maxTokens: USUAL_QUESTION_TOKENS } : {});
    const { app, config } = opened;
    const story = texts.story();
    const updates = new SessionUpdates(this.directory, () => app.artifacts, texts.event);
    let sent = Promise.resolve();
    // In the order in which it happened. An editor that is gone hears nothing; its end is seen elsewhere.
    const tell = (update: SessionUpdate) => {
      const told = { sessionId: this.id, update };
      sent = sent.then(() => client.notify(methods.client.session.update, told)).catch(() => {});
    };
    let answer: Answer | undefined;
    app.bus.subscribe((message) => {
      story.hear(message);
      if (message.type === "role-answered" && isQuestion) answer = Answer.parse(message.result);
      for (const update of updates.of(message)) tell(update);
    });
    const asked = {
      client,
      sessionId: this.id,
      person,
      hasForms,
      keep: (request: Parameters<typeof ruleOf>[0]) => keepRule(ruleOf(request, this.directory)),
    };
    const options: RunOptions = {
      signal,
      hooks: config.hooks,
      outside: true,
      approve: { subjects: [], words: "miracle acp", wait: true, findings: false },
      ask: (request, until) => askEditor(asked, request, until),
    };
    const end = isQuestion ? await this.#ask(opened, words, options) : await this.#goal(opened, words, options);
    const result = answer ? withoutImages(texts.answer(answer)) : resultText(story.result(end));
    tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: result } });
    await sent;
    return signal.aborted;
  }

  async #goal({ app, config }: OpenedApp, goal: string, options: RunOptions): Promise<RunEnd> {
    const past = await this.#past(app);
    const wanted = { goal, directory: this.directory, apply: true, past };
    const { request, settings, prompts, handOver } = await prepareGoal(app, config, wanted);
    const end = await app.start(request, settings, prompts, { ...options, onTask: handOver });
    if (end.ended === "settled") this.#last = end.task;
    return end;
  }

  async #ask({ app, config }: OpenedApp, question: string, options: RunOptions): Promise<RunEnd> {
    const past = await this.#past(app);
    const { request, settings, prompts } = prepareQuestion(config, { question, directory: this.directory, past });
    return app.start(request, settings, prompts, { ...options, approve: QUESTION_POLICY });
  }

  async #past(app: App): Promise<(Followed & { parent: string }) | undefined> {
    if (this.#last === undefined) return undefined;
    return { ...(await goOnFrom(app, await findTask(app.store, this.#last))), parent: this.#last };
  }
}
