import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { call } from "../scripted-goal.ts";
import { ScriptedTerminal } from "../scripted-terminal.ts";
import { type SentEvent, ServedApi } from "../served-api.ts";

/** Two tasks at once, so that both are cut off together. */
const SETTINGS = "direct: true\nserver:\n  parallel: 2\n";

/** The server dies at its 12th write, then at its 16th, and so on: at ever other places of the tasks. */
const MOMENTS = Array.from({ length: 12 }, (_, round) => 12 + 4 * round);

/** One follower of a task over all servers: it goes on after the last event it has seen. */
class Follower {
  readonly events: SentEvent[] = [];

  /** Until the connection breaks. */
  async follow(api: ServedApi, task: string): Promise<void> {
    try {
      for await (const event of api.events(task, this.events.at(-1)?.id ?? 0)) this.events.push(event);
    } catch {
      // The server was killed.
    }
  }
}

test("killed with -9 again and again, a server loses no task and does nothing twice; followers see each event once", async () => {
  const terminal = await ScriptedTerminal.open((request) => {
    const [, file = ""] = /write (file-\d+\.txt)/.exec(request.messages[0]?.text ?? "") ?? [];
    const turn = request.messages.filter((message) => message.role === "assistant").length;
    const create = call("create_file", { path: file, content: `${file}\n` });
    return { toolCalls: [turn === 0 ? create : call("finish", { summary: `wrote ${file}` })] };
  });
  terminal.configure(SETTINGS);
  const first = await ServedApi.start(terminal);
  const { token } = first;
  await first.kill();

  const followers = new Map<string, Follower>();
  for (const [round, moment] of MOMENTS.entries()) {
    const api = await ServedApi.start(terminal, { token, env: { MIRACLE_FAULT: String(moment) } });
    // Who gets no answer cannot know whether the task was begun.
    const made = await api.post("/tasks", { goal: `write file-${round}.txt` }).catch(() => null);
    if (made) followers.set(String(made.body.id), new Follower());
    const following = [...followers].map(([task, follower]) => follower.follow(api, task));
    expect(await api.process.end).toMatchObject({ signal: "SIGKILL" });
    await Promise.all(following);
  }

  const last = await ServedApi.start(terminal, { token });
  const begun = terminal.tasks().map(({ id }) => id);
  expect(begun).toEqual(expect.arrayContaining([...followers.keys()]));
  for (const id of begun) await last.reaches(id, "checked");
  for (const [id, { events }] of followers) {
    const seen =
      events.at(-1)?.event === "task-settled" ? [] : await last.follow(id, "task-settled", events.at(-1)?.id);
    const all = [...events, ...seen];
    expect(all.map((event) => event.id)).toEqual(all.map((_, index) => index + 1));
    expect(all.filter(({ event }) => event === "change-applied")).toHaveLength(1);
    expect(all.filter(({ event }) => event === "task-settled")).toHaveLength(1);
  }
  const files = begun.length;
  expect(Object.keys(terminal.tree())).toHaveLength(files);
  // Each kill may cut off one request of each of the two tasks; what is recorded is not asked again.
  expect(terminal.server.requests.length).toBeLessThanOrEqual(2 * files + 2 * MOMENTS.length);
  using database = new DatabaseSync(terminal.line.database, { readOnly: true });
  expect(database.prepare("select count(*) as n from steps where kind = 'model'").get()).toEqual({ n: 2 * files });
  await vi.waitFor(() => expect(database.prepare("select * from jobs").all()).toEqual([]));
});
