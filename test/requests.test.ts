import { expect, test } from "vitest";
import { AppBuilder } from "./app-builder.ts";
import { roleOf } from "./scripted-goal.ts";
import { everydayTasks, mindOf } from "./six-tasks.ts";

/*
 * What each everyday goal costs: the requests, by role, and all that they send, a token for each four bytes. The figures
 * may fall. Who makes them rise must say for what. Up to the finished todo, where nothing more is asked after it.
 */
const ALLOWED: Record<string, { roles: string[]; tokens: number; whole?: boolean }> = {
  "one line in a large file": { roles: ["planner", "tester", "coder"], tokens: 3900 },
  "a small new program": { roles: ["planner", "tester", "coder"], tokens: 3050 },
  "a feature in a small project": { roles: ["planner", "tester", "coder"], tokens: 3300 },
  "a bug with a failing test": { roles: ["planner", "tester", "coder"], tokens: 3150 },
  // A test is sent back, and mutants that a requirement decides about are shown to the tester.
  "a change of two files": { roles: ["planner", "tester", "tester", "coder", "tester"], tokens: 6200, whole: true },
  "a goal that names its file": { roles: ["planner", "tester", "coder"], tokens: 3200 },
};

for (const [name, task] of Object.entries(everydayTasks)) {
  test(`${name} takes so many requests and tokens, and no more`, async () => {
    const builder = await AppBuilder.create(mindOf(task), task.files);
    const app = await builder.open();
    const settings = builder.settings({ proving: { sharpen: true }, architect: "auto" });
    const { roles, tokens, whole = false } = ALLOWED[name] ?? { roles: [], tokens: 0 };
    const request = { goal: task.goal };
    if (whole) {
      expect(await builder.start(app, request, settings)).toMatchObject({ outcome: { status: "proven" } });
    } else await builder.startUntil(app, "todo-settled", request, settings);
    const settled = builder.events.find((event) => event.type === "todo-settled");
    expect(settled).toMatchObject({ ok: true });
    const { requests } = builder.server;
    const sent = requests.reduce((sum, { bytes }) => sum + bytes / 4, 0);
    expect(requests.map(roleOf)).toEqual(roles);
    expect(sent).toBeLessThanOrEqual(tokens);
  });
}
