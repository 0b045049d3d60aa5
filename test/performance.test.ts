import { expect, test } from "vitest";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { byRole, call, roleOf } from "./scripted-goal.ts";

const SLOW =
  "def unique(items):\n    found = []\n    for item in items:\n        if item not in found:\n            found.append(item)\n    return found\n";
const AS_SLOW = SLOW.replaceAll("found", "seen");
const FAST = "def unique(items):\n    return list(dict.fromkeys(items))\n";

const planner = [
  call("finish", {
    size: "small",
    title: "unique is faster",
    kind: "performance",
    language: "python",
    requirements: [
      { id: "R1", text: "unique(items) of lists.py is at least 3 times as fast", quote: "3 times as fast" },
    ],
    todos: [{ id: "unique", title: "make unique faster" }],
    relevantFiles: ["lists.py"],
  }),
];
const behaviour = (name: string, items: string, expected: string, heldOut: boolean) => ({
  path: `tests/${name}.py`,
  content: `from lists import unique\n\n\ndef ${name}():\n    assert unique(${items}) == ${expected}\n`,
  ...(heldOut && { heldOut }),
  todo: "unique",
  covers: [{ test: name, requirement: "R1" }],
});
const tests = [
  behaviour("test_order", "[3, 1, 3, 2, 1]", "[3, 1, 2]", false),
  behaviour("test_text", '["b", "a", "b"]', '["b", "a"]', true),
];
const benchmark = {
  path: "bench/bench_unique.py",
  content: `import random

from lists import unique

SIZE = 9000
FACTOR = 3


def prepare(size, seed):
    numbers = random.Random(seed)
    return [numbers.randrange(size * 10) for _ in range(size)]


def work(data):
    return sum(index * item for index, item in enumerate(unique(data)))
`,
  heldOut: true,
  todo: "unique",
  covers: [{ test: "work", requirement: "R1" }],
};
const write = (content: string) => call("create_file", { path: "lists.py", content, overwrite: true });
const done = call("finish", { summary: "done" });
const goal = "unique in lists.py must be 3 times as fast";

test("a goal about speed is proven by what is measured before and after, and its coder is told what falls short", async () => {
  const small = { ...benchmark, content: benchmark.content.replace("9000", "40") };
  const roles = {
    planner,
    tester: [call("finish", { files: [...tests, small] }), call("finish", { files: [...tests, benchmark] })],
    coder: [write(AS_SLOW), done, write(FAST), done],
  };
  const builder = await AppBuilder.create(byRole(roles), { "lists.py": SLOW });
  const app = await builder.open();
  const end = await builder.start(app, { goal });
  const asked = (role: string) => builder.server.requests.filter((request) => roleOf(request) === role);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(asked("tester")[0]?.messages.at(-1)?.text).toContain("bench/bench_unique.py");
  expect(asked("tester")[1]?.messages.at(-1)?.text).toMatch(/`work` takes \d+ ms: choose a larger SIZE/);
  const shown = asked("coder").map((request) => JSON.stringify(request.body));
  expect(shown.at(-1)).toMatch(/R1: 1\.\d+ × as fast .* that cannot be told from noise|R1: 0\.\d+ × as fast/);
  expect(shown.join("\n")).not.toMatch(/bench_unique|randrange/);
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  expect(evidence?.speed).toMatchObject([{ requirement: "R1", verdict: "faster", asked: 3 }]);
  expect(evidence?.speed?.[0]?.pairs.length).toBe(9);
  expect(Object.keys(builder.files())).toEqual(["lists.py", "tests/test_order.py"]);
  const replayed = await replayTask(await app.recording(end.task), openLanguages());
  expect(replayed).toMatchObject({ ended: "same", outcome: { status: "proven" } });
});

test("a goal about speed that nobody measures is only checked, and it is said why", async () => {
  const bare = call("finish", { files: tests });
  const roles = { planner, tester: [bare, bare, bare], coder: [write(FAST), done] };
  const builder = await AppBuilder.create(byRole(roles), { "lists.py": SLOW });
  const end = await builder.start(await builder.open(), { goal });
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  expect(evidence?.speed).toMatchObject([{ verdict: "not-measured", why: "no benchmark covers R1" }]);
});
