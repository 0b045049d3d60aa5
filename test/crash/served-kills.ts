import { expect } from "vitest";
import { z } from "zod";
import { call } from "../scripted-goal.ts";
import { ScriptedTerminal } from "../scripted-terminal.ts";
import { type SentEvent, ServedApi } from "../served-api.ts";

/** Two tasks at once, so that both are cut off together. */
const SETTINGS = "direct: true\nserver:\n  parallel: 2\n";

/** More of them for a longer look: MIRACLE_KILLS=50. */
const rounds = (usual: number): number => Number(process.env.MIRACLE_KILLS ?? usual);

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

/**
 * The server dies at its 12th write, then at its 16th, and so on: at ever other places of the tasks. None may be lost,
 * none done twice, and followers see every event once and in order.
 */
export async function killAgainAndAgain(usual: number, env: Record<string, string> = {}): Promise<ScriptedTerminal> {
  const terminal = await ScriptedTerminal.open((request) => {
    const [, file = ""] = /write (file-\d+\.txt)/.exec(request.messages[0]?.text ?? "") ?? [];
    const turn = request.messages.filter((message) => message.role === "assistant").length;
    const create = call("create_file", { path: file, content: `${file}\n` });
    return { toolCalls: [turn === 0 ? create : call("finish", { summary: `wrote ${file}` })] };
  });
  terminal.configure(SETTINGS);
  const first = await ServedApi.start(terminal, { env });
  const { token } = first;
  await first.kill();

  const moments = Array.from({ length: rounds(usual) }, (_, round) => 12 + 4 * (round % 15));
  const followers = new Map<string, Follower>();
  for (const [round, moment] of moments.entries()) {
    const api = await ServedApi.start(terminal, { token, env: { ...env, MIRACLE_FAULT: String(moment) } });
    // Who gets no answer cannot know whether the task was begun.
    const made = await api.post("/tasks", { goal: `write file-${round}.txt` }).catch(() => null);
    if (made) followers.set(String(made.body.id), new Follower());
    const following = [...followers].map(([task, follower]) => follower.follow(api, task));
    expect(await api.process.end).toMatchObject({ signal: "SIGKILL" });
    await Promise.all(following);
  }

  const last = await ServedApi.start(terminal, { token, env });
  const Listed = z.object({ tasks: z.array(z.object({ id: z.string() })) });
  const begun = Listed.parse((await last.get("/tasks?limit=200")).body).tasks.map(({ id }) => id);
  expect(begun).toEqual(expect.arrayContaining([...followers.keys()]));
  const Steps = z.object({ steps: z.array(z.object({ kind: z.string() })) });
  for (const id of begun) {
    await last.reaches(id, "checked");
    const { steps } = Steps.parse((await last.get(`/tasks/${id}/steps?limit=1000`)).body);
    expect(steps.filter(({ kind }) => kind === "model")).toHaveLength(2);
  }
  for (const [id, { events }] of followers) {
    const seen =
      events.at(-1)?.event === "task-settled" ? [] : await last.follow(id, "task-settled", events.at(-1)?.id);
    const all = [...events, ...seen];
    expect(all.map((event) => event.id)).toEqual(all.map((_, index) => index + 1));
    expect(all.filter(({ event }) => event === "change-applied")).toHaveLength(1);
    expect(all.filter(({ event }) => event === "task-settled")).toHaveLength(1);
  }
  expect(Object.keys(terminal.tree())).toHaveLength(begun.length);
  // Each kill may cut off one request of each of the two tasks; what is recorded is not asked again.
  expect(terminal.server.requests.length).toBeLessThanOrEqual(2 * begun.length + 2 * moments.length);
  return terminal;
}
