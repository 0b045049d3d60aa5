import { expect, test } from "vitest";
import { AppBuilder } from "../app-builder.ts";
import { byRole, call } from "../scripted-goal.ts";
import { done, write } from "./coder-case.ts";
import { ADD } from "./goals.ts";

/*
 * `add` subtracts, the test is right, and the coder leaves it as it is. Whoever debugs it says that the test is at fault:
 * that alone gets nobody to a green end.
 */

const covers = [{ test: "test_adds", requirement: "R1" }];
const { visible, requirement } = ADD;
const given = { path: visible.path, content: visible.content, todo: "work", covers };
const hidden = { ...given, ...ADD.unseen(0), covers: [{ test: "test_unseen", requirement: "R1" }], heldOut: true };
const reflection = call("finish", { cause: "unknown", hypothesis: "go on", next: "code" });
const claim = (cause: string) =>
  call("finish", { cause, finding: "the test is wrong", instructions: "-", tests: ["test_adds"] });
const ruling = (entailed: boolean, quote: string) => call("finish", { entailed, quote, reason: "so it is" });
const again = { ...given, content: given.content.replace("add(2, 3) == 5", "add(4, 3) == 7") };

async function blame(roles: { debugger: object; judge?: object[]; tester?: object[] }) {
  const used: string[] = [];
  const script = byRole({
    planner: [
      call("finish", {
        size: "small",
        title: ADD.goal,
        kind: ADD.kind,
        language: ADD.language,
        requirements: [{ id: "R1", text: requirement, quote: ADD.goal }],
        todos: [{ id: "work", title: ADD.goal }],
      }),
    ],
    reflector: [reflection, reflection, reflection],
    coder: [write("calc.py", "def add(a, b):\n    return 0\n"), ...Array<typeof done>(6).fill(done)],
    ...roles,
    tester: [call("finish", { files: [given, hidden] }), ...(roles.tester ?? [])],
  } as Parameters<typeof byRole>[0]);
  const builder = await AppBuilder.create((request, index) => {
    used.push(request.system.slice(0, 24));
    return script(request, index);
  }, ADD.base);
  const app = await builder.open();
  const { limits } = builder.settings();
  const end = await builder.start(
    app,
    { goal: ADD.goal },
    builder.settings({
      limits: { ...limits, maxIterations: 2, debugAttempts: 1 },
      recovery: { rewrite: true, ask: true },
    }),
  );
  if (end.ended !== "settled") throw new Error(JSON.stringify(end));
  const asked = used.filter((role) => role.startsWith("You write the tests")).length;
  return { status: end.outcome.status, asked };
}

test("a debugger that calls a right test flaky is not believed: it goes one way only", async () => {
  expect(await blame({ debugger: [claim("flaky_test")] })).toEqual({ status: "not-proven", asked: 1 });
});

test("one that says it takes too long is not: it ends in time where nothing was changed", async () => {
  expect(await blame({ debugger: [claim("timeout")] })).toEqual({ status: "not-proven", asked: 1 });
});

test("one that says the spec does not ask for it is not, unless a judge quotes the spec against it", async () => {
  const upheld = { debugger: [claim("spec_mismatch")], judge: [ruling(true, requirement)] };
  expect(await blame(upheld)).toEqual({ status: "not-proven", asked: 1 });
  const invented = ruling(false, "add(a, b) returns zero");
  const swayed = { debugger: [claim("spec_mismatch")], judge: [invented, invented, invented] };
  expect(await blame(swayed)).toEqual({ status: "not-proven", asked: 1 });
});

test("where even the judge is taken in, the tester asks for the same behaviour again", async () => {
  const fooled = {
    debugger: [claim("spec_mismatch")],
    judge: [ruling(false, requirement)],
    tester: [call("finish", { files: [again] })],
  };
  expect(await blame(fooled)).toEqual({ status: "not-proven", asked: 2 });
});
