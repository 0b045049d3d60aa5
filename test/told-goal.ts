import type { ScriptedAnswer, ServedRequest } from "./model-server.ts";
import { addGoal, call, roleOf } from "./scripted-goal.ts";

/*
 * A small goal that a person amends, after the first iteration or before: one requirement is changed, one is added. Every answer
 * follows from the request alone.
 */

export const toldGoal = "Write a module that adds two numbers";
export const toldWords = "Only for positive numbers: negative numbers raise ValueError";

const amended = call("finish", {
  requirements: [
    {
      id: "R1",
      text: "calc.add(a, b) returns the sum of two positive numbers",
      quote: "Only for positive numbers",
      example: { input: "add(2, 3)", output: "5" },
    },
    { id: "R2", text: "calc.add raises ValueError for a negative number", quote: "negative numbers raise ValueError" },
  ],
  todos: [{ id: "add", title: "write calc.add", requirements: ["R1", "R2"] }],
});

const file = (path: string, tests: string, covers: [string, string][], heldOut: boolean) => ({
  path,
  content: `import pytest\nfrom calc import add\n\n\n${tests}`,
  todo: "add",
  covers: covers.map(([test, requirement]) => ({ test, requirement })),
  ...(heldOut && { heldOut }),
});

const raises = (name: string, a: number, b: number) =>
  `def ${name}():\n    with pytest.raises(ValueError):\n        add(${a}, ${b})\n`;

/** The names are free again where no test was written before. */
const toldTests = (names: "_2" | "") =>
  call("finish", {
    files: [
      file(
        `tests/test_add${names}.py`,
        `def test_adds_positive():\n    assert add(2, 3) == 5\n\n\n${raises("test_refuses", -1, 1)}`,
        [
          ["test_adds_positive", "R1"],
          ["test_refuses", "R2"],
        ],
        false,
      ),
      file(
        `tests/test_add_unseen${names}.py`,
        `def test_adds_unseen():\n    assert add(20, 22) == 42\n\n\n${raises("test_refuses_unseen", 3, -4)}`,
        [
          ["test_adds_unseen", "R1"],
          ["test_refuses_unseen", "R2"],
        ],
        true,
      ),
    ],
  });

const wrong = call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a - b\n" });
const body = "    if a < 0 or b < 0:\n        raise ValueError\n    return a + b\n";
const mended = call("edit_file", { path: "calc.py", oldText: "    return a - b\n", newText: body });
const right = call("create_file", { path: "calc.py", content: `def add(a, b):\n${body}` });

/** What each role answers; a coder that knows the person's words does as they say. */
export const toldScript = (request: ServedRequest): ScriptedAnswer => {
  const turn = request.messages.filter((message) => message.role === "assistant").length;
  const text = request.messages[0]?.text ?? "";
  const [planned] = addGoal.planner;
  const [tests] = addGoal.tester;
  const [reflected] = addGoal.reflector;
  const one = (answer: typeof planned): ScriptedAnswer => ({ toolCalls: answer ? [answer] : [] });
  switch (roleOf(request)) {
    case "planner":
      if (!text.includes("# The person's new words")) return one(planned);
      return text.includes("plain functions") ? { text: "A matter of style." } : one(amended);
    case "tester":
      return one(text.includes("R2:") ? toldTests(text.includes("test_add_2.py") ? "_2" : "") : tests);
    case "reflector":
      return one(reflected);
    default:
      return one(
        turn > 0
          ? call("finish", { summary: "wrote add" })
          : !isTold(request)
            ? wrong
            : text.includes("a - b")
              ? mended
              : right,
      );
  }
};

export const isTold = (request: ServedRequest): boolean => (request.messages[0]?.text ?? "").includes(toldWords);
