import { expect, test } from "vitest";
import { AppBuilder } from "./app-builder.ts";
import { addGoal, byRole, call, type ScriptedRoles } from "./scripted-goal.ts";

/* Only what a task begins with configures its judges, and the answers of its own tests are told by who opens them. */

const file = (name: string, a: number, b: number, heldOut: boolean) => ({
  path: `tests/${name}.py`,
  content: `from calc import add\n\n\ndef ${name}():\n    assert add(${a}, ${b}) == ${a + b}\n`,
  ...(heldOut && { heldOut }),
  todo: "add",
  covers: [{ test: name, requirement: "R1" }],
});
const tester = [call("finish", { files: [file("test_adds", 2, 3, false), file("test_unseen", 2031, 17, true)] })];
const write = (path: string, content: string) => call("create_file", { path, content, overwrite: true });
const done = call("finish", { summary: "done" });
const again = Array.from({ length: 9 }, () => done);
const RIGHT = "def add(a, b):\n    return a + b\n";

async function run(goal: string, coder: ScriptedRoles["coder"], files: Record<string, string> = {}) {
  const reflector = Array.from({ length: 5 }, () => addGoal.reflector[0] ?? done);
  const builder = await AppBuilder.create(byRole({ ...addGoal, tester, coder, reflector }), files);
  const app = await builder.open();
  const end = await builder.start(app, { goal });
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  const gate = builder.events.find((event) => event.type === "tests-run" && event.scope === "gate");
  return { status: end.ended === "settled" ? end.outcome.status : end.ended, builder, evidence, gate };
}

const GOAL = "Write a module that adds two numbers";
/** Loaded before any test is, it mends what they look at. */
const CONFTEST = "import calc\n\ncalc.add = lambda a, b: a + b\n";

test("what a file of the tests that the goal names does decides over no test", async () => {
  const goal = `${GOAL}, and a conftest.py that says which numbers are slow`;
  const wrong = write("calc.py", "def add(a, b):\n    return 6\n");
  const { status, gate } = await run(goal, [write("conftest.py", CONFTEST), wrong, ...again]);
  expect(status).toBe("not-proven");
  expect(gate).toMatchObject({ counts: { passed: 0, red: 1 } });
});

test("a harmless one is delivered as the goal asks, and the tests run without it", async () => {
  const goal = `${GOAL}, and a conftest.py that says which numbers are slow`;
  const own = "SLOW = (1, 2)\n";
  const { status, builder, evidence } = await run(goal, [write("conftest.py", own), write("calc.py", RIGHT), done]);
  expect(status).toBe("proven");
  expect(builder.files()["conftest.py"]).toBe(own);
  expect(evidence?.account?.find(({ path }) => path === "conftest.py")).toMatchObject({
    standing: "not-judged",
    explained: expect.stringContaining("names"),
  });
});

const SHOP = `from pathlib import Path

RATE = int(Path("data/rate.txt").read_text())


def price(n):
    return n * RATE
`;
const OWN = `from pathlib import Path

from shop import price


def test_price():
    assert str(price(3)) == Path("data/price.txt").read_text()


def test_rate():
    assert int(Path("data/rate.txt").read_text()) > 0
`;
const PROJECT = { "shop.py": SHOP, "tests/test_shop.py": OWN, "data/rate.txt": "2", "data/price.txt": "6" };

test("an answer that only tests open is put back, wherever it stands", async () => {
  const broken = SHOP.replace("n * RATE", "n * RATE + 1");
  const renewed = [write("calc.py", RIGHT), write("shop.py", broken), write("data/price.txt", "7")];
  const { status, gate } = await run(GOAL, [...renewed, ...again], PROJECT);
  expect(gate).toMatchObject({ counts: { red: 1 }, red: [{ id: "tests/test_shop.py::test_price" }] });
  expect(status).toBe("not-proven");
});

test("data that the code opens as well is no answer: it is a place of the change", async () => {
  const coder = [write("calc.py", RIGHT), write("data/rate.txt", "2\n"), done, done];
  const { status, evidence } = await run(GOAL, coder, PROJECT);
  expect(evidence?.integrity).toEqual([]);
  expect(evidence?.account?.find(({ path }) => path === "data/rate.txt")).toMatchObject({ standing: "not-judged" });
  expect(status).toBe("not-proven");
});
