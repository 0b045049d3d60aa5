import { useId, useState } from "preact/hooks";
import { api } from "../api.ts";
import { DiffView } from "../code/diff-view.tsx";
import { announce } from "../live/announce.ts";
import { taskHref } from "../route.ts";
import type { Question } from "../shapes.ts";
import { Trouble } from "./notice.tsx";
import { useAction } from "./use-action.ts";
import { When } from "./when.tsx";

const SUBJECTS: Record<Question["subject"], string> = {
  command: "A command",
  code: "Code",
  deps: "Packages",
  network: "The network",
  files: "Files",
  outside: "A file outside of the project",
  plan: "The plan",
  diff: "The change",
  question: "A question",
};

/** What may be wanted again, word for word. A plan, a change or a question in words is only itself. */
const MAY_BE_RULES = new Set<Question["subject"]>(["command", "code", "deps", "network", "files", "outside"]);

interface QuestionCardProps {
  question: Question;
  now: number;
  /** The goal, where the card does not stand on its task's page. */
  goal?: string | undefined;
  onAnswered(): void;
}

/** One question with everything needed to answer it, and the answer. */
export function QuestionCard({ question, now, goal, onAnswered }: QuestionCardProps) {
  const { id, task, subject, detail, todo, createdAt } = question;
  const [reason, setReason] = useState("");
  const answering = useAction();
  const field = useId();
  const inWords = subject === "question";
  const answer = (granted: boolean, holds: "once" | "task" | "always" = "once") =>
    answering.run(async () => {
      await api.answer(id, { granted, reason: reason.trim(), holds });
      announce(granted ? "Allowed" : "Refused");
      onAnswered();
    });
  return (
    <article class="question" aria-labelledby={`${field}-title`}>
      <p class="about">
        <span class="tag">{SUBJECTS[subject]}</span>
        {todo !== null && <span>todo {todo}</span>}
        <When at={createdAt} now={now} />
      </p>
      <h3 id={`${field}-title`}>{question.question}</h3>
      {goal !== undefined && (
        <p class="of">
          For <a href={taskHref(task)}>{goal}</a>
        </p>
      )}
      <Detail text={detail} />
      <label for={field}>{inWords ? "Your answer" : "A word with it (it is kept in the record)"}</label>
      <input id={field} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      <Trouble problem={answering.problem} />
      <div class="buttons">
        <button
          type="button"
          class="strong"
          disabled={answering.busy || (inWords && reason.trim() === "")}
          onClick={() => answer(true)}
        >
          {inWords ? "Answer" : "Allow once"}
        </button>
        {!inWords && (
          <button type="button" disabled={answering.busy} onClick={() => answer(true, "task")}>
            Allow for this task
          </button>
        )}
        {MAY_BE_RULES.has(subject) && (
          <button
            type="button"
            disabled={answering.busy}
            title="The very same is not asked again for this directory: a rule in the server's settings says so"
            onClick={() => answer(true, "always")}
          >
            Allow always
          </button>
        )}
        <button type="button" class="danger" disabled={answering.busy} onClick={() => answer(false)}>
          {inWords ? "End it here" : "Deny"}
        </button>
      </div>
    </article>
  );
}

/** A diff is shown as one; everything else as it is. */
function Detail({ text }: { text: string }) {
  const start = text.search(/^diff --git /m);
  if (start === -1) return text === "" ? null : <pre class="detail">{text}</pre>;
  return (
    <>
      {start > 0 && <pre class="detail">{text.slice(0, start).trimEnd()}</pre>}
      <DiffView patch={text.slice(start)} />
    </>
  );
}
