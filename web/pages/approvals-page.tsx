import { useRef } from "preact/hooks";
import { api } from "../api.ts";
import { useNow, useResource } from "../live/use-resource.ts";
import { Hint, Trouble, Waiting } from "../parts/notice.tsx";
import { QuestionCard } from "../parts/question-card.tsx";

/** Every question that waits, oldest first. */
export function ApprovalsPage() {
  const now = useNow(15_000);
  const heading = useRef<HTMLHeadingElement>(null);
  const open = useResource((signal) => api.questions(undefined, signal), [], { everyMs: 2000 });
  const questions = open.value?.approvals;
  const tasks = [...new Set((questions ?? []).map(({ task }) => task))].sort();
  const goals = useResource((signal) => goalsOf(tasks, signal), [], { version: tasks });
  // The card that had the focus is gone.
  const answered = () => {
    heading.current?.focus();
    open.reload();
  };
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        Approvals
      </h1>
      <Trouble problem={open.problem} />
      {questions === undefined && !open.problem && <Waiting what="Asking for the questions" />}
      {questions?.length === 0 && <Hint>Nothing waits for you.</Hint>}
      <div class="questions">
        {(questions ?? []).map((question) => (
          <QuestionCard
            key={question.id}
            question={question}
            now={now}
            goal={goals.value?.get(question.task) ?? question.task}
            onAnswered={answered}
          />
        ))}
      </div>
    </>
  );
}

async function goalsOf(tasks: string[], signal: AbortSignal): Promise<Map<string, string>> {
  const views = await Promise.all(tasks.map((id) => api.task(id, signal)));
  return new Map(views.map(({ id, goal }) => [id, goal]));
}
