import { api } from "../api.ts";
import { announce } from "../live/announce.ts";
import { useNow, useResource } from "../live/use-resource.ts";
import { count, duration, money } from "../parts/figures.ts";
import { Hint, Trouble, Waiting } from "../parts/notice.tsx";
import { useAction } from "../parts/use-action.ts";
import { When } from "../parts/when.tsx";
import { taskHref } from "../route.ts";
import type { DeadLetter, MonthBudget, QueueView } from "../shapes.ts";

/** What concerns all who share the server: what waits, who works, what was given up, and what the month has cost. */
export function TeamPage() {
  const now = useNow(1000);
  const queue = useResource((signal) => api.queue(signal), [], { everyMs: 3000 });
  const budgets = useResource((signal) => api.budgets(signal), [], { everyMs: 10_000 });
  return (
    <>
      <h1 tabIndex={-1}>Team</h1>
      <Trouble problem={queue.problem ?? budgets.problem} />
      {!queue.value && !queue.problem && <Waiting what="Looking at the queue" />}
      {queue.value && <Queue queue={queue.value} now={now} onRevived={queue.reload} />}
      {budgets.value && <Budgets budgets={budgets.value.budgets} />}
    </>
  );
}

function Queue({ queue, now, onRevived }: { queue: QueueView; now: number; onRevived(): void }) {
  const { ready, delayed, running, oldestMs, takeOvers, workers, deadLetters } = queue;
  const figures: [string, string][] = [
    ["waiting", String(ready)],
    ["tried again later", String(delayed)],
    ["running", String(running)],
    ["oldest waits for", oldestMs === null ? "–" : duration(oldestMs)],
    ["taken over in a week", String(takeOvers)],
    ["given up", String(deadLetters.length)],
  ];
  return (
    <>
      <section aria-labelledby="team-queue">
        <h2 id="team-queue">Queue</h2>
        <dl class="measured">
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="team-workers">
        <h2 id="team-workers">{count(workers.length, "worker")}</h2>
        {workers.length === 0 && <Hint>Nobody works. `miracle worker` starts one.</Hint>}
        <ul class="records">
          {workers.map(({ name, labels, tasks, seenAt }) => (
            <li key={name}>
              <strong>{placeOf(name)}</strong> {labels.join(", ")} {tasks.length === 0 && "idle "}
              {tasks.map((task) => (
                <a key={task} href={taskHref(task)}>
                  {`${task} `}
                </a>
              ))}
              <When at={seenAt} now={now} />
            </li>
          ))}
        </ul>
      </section>
      {deadLetters.length > 0 && (
        <section aria-labelledby="team-dead">
          <h2 id="team-dead">Given up</h2>
          <ul class="records">
            {deadLetters.map((letter) => (
              <Letter key={letter.task} letter={letter} now={now} onRevived={onRevived} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Letter({ letter, now, onRevived }: { letter: DeadLetter; now: number; onRevived(): void }) {
  const { task, why, at } = letter;
  const reviving = useAction();
  const revive = () =>
    reviving.run(async () => {
      await api.revive(task);
      announce("It waits for its turn");
      onRevived();
    });
  return (
    <li>
      <a href={taskHref(task)}>{task}</a> <When at={at} now={now} />: {why}{" "}
      <button type="button" disabled={reviving.busy} onClick={revive}>
        Try again
      </button>
      <Trouble problem={reviving.problem} />
    </li>
  );
}

function Budgets({ budgets }: { budgets: MonthBudget[] }) {
  return (
    <section aria-labelledby="team-budgets">
      <h2 id="team-budgets">Spent in this month</h2>
      {budgets.length === 0 && <Hint>Nothing yet. `miracle budget` says what people and teams may spend.</Hint>}
      {budgets.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Spent</th>
              <th scope="col">Of</th>
            </tr>
          </thead>
          <tbody>
            {budgets.map(({ holder, spentMicros, limitMicros }) => (
              <tr key={holder}>
                <th scope="row">{holder}</th>
                <td class="figure">{money(spentMicros)}</td>
                <td class="figure">{limitMicros === null ? "no limit" : money(limitMicros)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Workers go by the name of their claims: host, process and its start. */
function placeOf(name: string): string {
  const [, host] = /"host":"([^"]+)"/.exec(name) ?? [];
  const [, pid] = /"pid":(\d+)/.exec(name) ?? [];
  return host === undefined ? name : `${host}, process ${pid}`;
}
