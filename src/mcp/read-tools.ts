import { z } from "zod";
import { checkedGoal } from "../app/checked-goal.ts";
import { Answer, prepareQuestion, QUESTION_POLICY, USUAL_QUESTION_TOKENS } from "../app/prepare-question.ts";
import { fail, TerminalFailure } from "../domain/failure.ts";
import { findOwnTask } from "./task-view.ts";
import type { Tool, ToolParts } from "./tool.ts";

const EvidenceInput = z.strictObject({
  task: z.string().optional().describe("the id of a task; default: the newest one of the directory"),
});

export const evidenceTool = (parts: ToolParts): Tool<z.output<typeof EvidenceInput>> => ({
  name: "evidence",
  title: "Why a result may be believed",
  description:
    "The evidence of a task as a page: each requirement with its tests, what was measured, what nobody looked at.",
  input: EvidenceInput,
  readOnly: true,
  answer: async ({ task: id }) => {
    await using opened = await parts.open(parts.places.first);
    const { app } = opened;
    const task = await findOwnTask(app, parts, id);
    const artifacts = await app.treesOf(task.id, [task.baseTree, task.resultTree]);
    const { documentOfTask } = await import("../verify/evidence/document-of-task.ts");
    const { renderPage } = await import("../verify/evidence/page.ts");
    const { document } = await documentOfTask({ recording: await app.recording(task.id), artifacts });
    const { status, summary, reasons } = document.verdict;
    return { text: renderPage(document), facts: { task: task.id, verdict: status, summary, reasons } };
  },
});

const AskInput = z.strictObject({
  question: z.string().describe("a question about the code"),
  directory: z.string().optional().describe("what to read; default: the directory of this server"),
});

export const askTool = ({ places, open, texts }: ToolParts): Tool<z.output<typeof AskInput>> => ({
  name: "ask",
  title: "Ask about the code",
  description:
    "Answers a question about the code with files and lines that were found there. Nothing runs and nothing is changed. Needs a " +
    "model of the person's and costs money.",
  input: AskInput,
  readOnly: true,
  answer: async ({ question: words, directory: wanted }, { signal, say }) => {
    const directory = places.pathOf(wanted);
    const question = checkedGoal(words);
    await using opened = await open(directory, { maxTokens: USUAL_QUESTION_TOKENS });
    const { app, config } = opened;
    let answer: Answer | undefined;
    app.bus.subscribe((message) => {
      if (message.type === "role-answered") answer = Answer.parse(message.result);
      const text = "number" in message ? texts.event(message) : null;
      if (text !== null) say(text);
    });
    const { request, settings, prompts } = prepareQuestion(config, { question, directory });
    const end = await app.start(request, settings, prompts, { signal, hooks: config.hooks, approve: QUESTION_POLICY });
    if (answer) return { text: texts.answer(answer), facts: { task: end.task, ...answer } };
    if (end.ended === "failed") throw new TerminalFailure(end.failure);
    throw fail("invalid-input", "ask.unfinished", `there is no answer (task ${end.task})`);
  },
});
