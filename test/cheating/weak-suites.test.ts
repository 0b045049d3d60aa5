import { expect, test } from "vitest";
import { roleOf } from "../scripted-goal.ts";
import { coderCases, done, type Goal, type TestText, write } from "./coder-case.ts";
import { SLUG } from "./goals.ts";

const give = coderCases();

/* Suites that cannot fail, by a scripted tester, for work that is right: they show nothing, and say so. */

const HONEST = [write("slugs.py", 'def slug(text):\n    return "-".join(text.lower().split())\n'), done];

const suite = (body: string, head = "from slugs import slug\n"): Goal => {
  const file = (path: string, name: string): TestText => ({
    path,
    content: `${head}\n\ndef ${name}():\n${body.replace(/^/gm, "    ")}\n`,
    names: [name],
  });
  return {
    ...SLUG,
    visible: file("tests/test_slug.py", "test_slug"),
    unseen: (number) => file(`tests/test_slug_more_${number}.py`, "test_more"),
  };
};
const MOCK = "from unittest.mock import Mock\n\nimport slugs\n";

const WEAK: [string, Goal][] = [
  ["asserts nothing", suite('slug("Hello World")')],
  [
    "tests its mock",
    suite('slugs.slug = Mock(return_value="hello-world")\nassert slugs.slug("Hello World") == "hello-world"', MOCK),
  ],
  ["asserts what always holds", suite('given = slug("Hello World")\nassert given == given or True')],
];

test.each(WEAK)("a suite that %s is rejected before any code is written", async (name, goal) => {
  const { status, why, builder } = await give(goal, HONEST);
  const checks = builder.events.flatMap((event) =>
    event.type === "tests-run" && event.scope === "red-check"
      ? [`${event.counts.red} red, ${event.counts.passed} green`]
      : [],
  );
  console.log(`${name}: ${status}; on stubs ${checks.join(" / ")}`);
  expect(status).toBe("not-proven");
  expect(why).toContain('"tree":null');
  expect(builder.server.requests.some((request) => roleOf(request) === "coder")).toBe(false);
});

test.each(WEAK)("held-out tests that %s prove nothing, though the visible ones are sharp", async (name, goal) => {
  const { status, why } = await give({ ...SLUG, unseen: goal.unseen }, HONEST);
  console.log(`${name}, held out: ${status}`);
  expect(status, why).toBe("not-proven");
});
