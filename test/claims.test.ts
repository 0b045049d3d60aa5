import { expect, test } from "vitest";
import { storyLines } from "../src/cli/text/story-text.ts";
import type { Settings } from "../src/domain/settings/settings.ts";
import { AppBuilder } from "./app-builder.ts";
import type { ServedRequest } from "./model-server.ts";
import { addGoal, byRole, call, extraRoleOf, roleOf, type ScriptedRoles } from "./scripted-goal.ts";

const RIGHT = "def test_adds():\n    assert add(2, 3) == 5\n";
const HEAD = "from calc import add\n\n\n";
const covers = (...names: string[]) => names.map((name) => ({ test: name, requirement: "R1" }));
const visible = (second: string, names: string[]) => ({
  path: "tests/test_add.py",
  content: `${HEAD}${RIGHT}\n\n${second}`,
  todo: "add",
  covers: covers(...names),
});
const unseen = {
  path: "tests/test_add_unseen.py",
  content: `${HEAD}def test_adds_unseen():\n    assert add(20, 22) == 42\n`,
  heldOut: true,
  todo: "add",
  covers: covers("test_adds_unseen"),
};
const tests = (...files: object[]) => call("finish", { files });
const wrote = (body: string) => [
  call("create_file", { path: "calc.py", content: body }),
  call("finish", { summary: "wrote add" }),
  // Nothing is changed: the same tests stay red on the same tree.
  call("finish", { summary: "it is right" }),
];
const reflection = call("finish", { cause: "unknown", hypothesis: "look again", next: "code" });
const ADDS = "def add(a, b):\n    return a + b\n";

async function run(roles: ScriptedRoles, change: Partial<Settings> = {}) {
  const seen: ServedRequest[] = [];
  const script = byRole({ ...addGoal, reflector: [reflection, reflection], ...roles });
  const builder = await AppBuilder.create((request, index) => {
    seen.push(request);
    return script(request, index);
  });
  const app = await builder.open();
  const { limits } = builder.settings();
  const settings = builder.settings({
    limits: { ...limits, debugAttempts: 2 },
    recovery: { rewrite: true, ask: false },
    ...change,
  });
  const end = await builder.start(app, { goal: "Write a module that adds two numbers" }, settings);
  const shown = (role: string) =>
    seen
      .filter((request) => (extraRoleOf(request) ?? roleOf(request)) === role)
      .map(({ messages }) => JSON.stringify(messages));
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  return { end, builder, shown, evidence };
}

test("a test that a judge finds against the spec is written anew, and nothing else in its file may change", async () => {
  const bad = visible("def test_zero():\n    assert add(0, 1) == 2\n", ["test_adds", "test_zero"]);
  const good = visible("def test_none():\n    assert add(0, 1) == 1\n", ["test_adds", "test_none"]);
  const { end, builder, shown, evidence } = await run({
    tester: [
      tests(bad, unseen),
      tests({ ...good, content: good.content.replace("== 5", "== 6") }),
      // It passes without the change.
      tests({ ...good, content: good.content.replace("assert add(0, 1) == 1", "assert 1 == 1") }),
      tests(good),
    ],
    coder: [...wrote(ADDS), call("finish", { summary: "it adds" })],
    debugger: [
      call("finish", {
        cause: "spec_mismatch",
        finding: "test_zero wants 0 + 1 to be 2; SECRET-WORDS",
        instructions: "-",
        tests: ["tests/test_add.py::test_zero"],
      }),
    ],
    judge: [
      call("finish", { entailed: false, quote: "returns the product", reason: "0 + 1 is 1" }),
      call("finish", { entailed: false, quote: "returns the sum of two numbers", reason: "0 + 1 is 1" }),
    ],
  });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  // Who rules reads neither the code nor whoever blames the test.
  expect(shown("judge").at(-1)).toContain("these words do not stand in the spec");
  for (const text of [...shown("judge"), ...shown("tester")]) expect(text).not.toMatch(/SECRET-WORDS|return a \+ b/);
  expect(shown("tester").at(-1)).toContain("test_adds must stay word for word");
  expect(shown("tester").at(-1)).toContain("test_none passes without the change");
  expect(evidence?.replaced).toEqual([
    {
      test: "tests/test_add.py::test_zero",
      requirements: ["R1"],
      cause: "spec_mismatch",
      why: "0 + 1 is 1",
      quote: "returns the sum of two numbers",
      by: ["tests/test_add.py::test_none"],
    },
  ]);
  expect(evidence?.disputes?.map(({ test: id, ruling }) => [id, ruling])).toEqual([
    ["tests/test_add.py::test_zero", "void"],
  ]);
  const [requirement] = evidence?.requirements ?? [];
  expect(requirement?.tests).toContain("tests/test_add.py::test_none");
  expect(requirement?.tests).not.toContain("tests/test_add.py::test_zero");
  expect(builder.files()["tests/test_add.py"]).toBe(good.content);
  expect(storyLines(builder.events).join("\n")).toContain("test_zero was written anew: 0 + 1 is 1");
});

test("where there is a contract its architect says which side is at fault, from the requirements' words", async () => {
  const contract = { title: "calc", language: "python", functions: [{ file: "calc.py", name: "add" }] };
  const said = (fault: string, quote: string) =>
    call("finish", { contract, design: "-", ruling: { fault, quote, reason: "it subtracts" } });
  const claim = { cause: "spec_mismatch", finding: "the test is wrong", instructions: "-", tests: ["test_adds"] };
  const { end, shown } = await run(
    {
      architect: [
        call("finish", { contract, design: "one function" }),
        // The contract cannot be quoted for itself.
        said("code", "calc.py: add()"),
        said("code", "returns the sum of two numbers"),
      ],
      coder: [
        ...wrote("def add(*numbers):\n    return numbers[0] - numbers[1]\n"),
        call("edit_file", { path: "calc.py", oldText: "- numbers", newText: "+ numbers" }),
        call("finish", { summary: "it adds" }),
      ],
      debugger: [call("finish", claim)],
    },
    { architect: "always" },
  );
  expect(shown("architect").at(-1)).toContain("stand neither in the goal nor in a requirement");
  expect(shown("architect").at(-1)).not.toContain("numbers[0]");
  expect(shown("coder").at(-1)).toContain(
    "The architect looked: the requirements say “returns the sum of two numbers”",
  );
  expect([shown("judge").length, shown("tester").length]).toEqual([0, 1]);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
});

test("a contract that its architect finds against the requirements is amended as a diff, and the work goes on by it", async () => {
  const examples = [{ call: "add(2, 3)", returns: "'5'" }];
  const contract = {
    title: "calc",
    language: "python",
    functions: [{ file: "calc.py", name: "add", returns: "str", examples }],
  };
  const ruling = { fault: "contract", quote: "returns the sum of two numbers", reason: "a sum is no text" };
  const edits = [
    { oldText: '"returns": "str"', newText: '"returns": "int"' },
    { oldText: `"returns": "'5'"`, newText: '"returns": "5"' },
  ];
  const { end, builder, shown } = await run(
    {
      architect: [
        call("finish", { contract, design: "one function" }),
        call("finish", { contract, design: "-", ruling }),
        call("finish", { edits: [{ oldText: '"returns": "bytes"', newText: "" }], reason: "a sum is no text" }),
        call("finish", { edits, reason: "a sum is no text" }),
      ],
      coder: [
        ...wrote("def add(*numbers):\n    return str(sum(numbers))\n"),
        call("create_file", {
          path: "calc.py",
          overwrite: true,
          content: ADDS.replaceAll("a, b", "*numbers").replace("a + b", "sum(numbers)"),
        }),
        call("finish", { summary: "a number" }),
      ],
      debugger: [
        call("finish", { cause: "spec_mismatch", finding: "text or number?", instructions: "-", tests: ["test_adds"] }),
      ],
    },
    { architect: "always" },
  );
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(shown("architect").at(-1)).toContain("not in the contract");
  expect(shown("coder").at(-1)).toContain("was amended by its architect");
  const amended = builder.events.find((event) => event.type === "contract-amended");
  expect(amended).toMatchObject({ contract: { functions: [{ returns: "int", examples: [{ returns: "5" }] }] } });
  expect(builder.files()["tests/test_contract_examples.py"]).toContain("(add(2, 3)) == (5)");
  expect(builder.events.some((event) => event.type === "approval-requested")).toBe(false);
});
