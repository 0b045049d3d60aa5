import type { Script } from "./model-server.ts";
import { addGoal, call, extraRoleOf, roleOf } from "./scripted-goal.ts";

const finish = call("finish", { summary: "done" });
const edit = (newText: string) => call("edit_file", { path: "calc.py", oldText: "return a - b", newText });

const another = call("finish", {
  files: [
    {
      path: "tests/test_add_more.py",
      content: "from calc import add\n\n\ndef test_adds_more():\n    assert add(7, 8) == 15\n",
      heldOut: true,
      todo: "add",
      covers: [{ test: "test_adds_more", requirement: "R1" }],
    },
  ],
});

export const stuckGoal = "Write a module that adds two numbers";

/**
 * A coder that gets stuck, and a debugger with two explanations: both turn the visible tests green, one of them only
 * these. Answers follow from the request alone.
 */
export const stuckScript: Script = (request) => {
  const turn = request.messages.filter((message) => message.role === "assistant").length;
  const text = JSON.stringify(request.messages);
  const [planned] = addGoal.planner;
  const [tests] = addGoal.tester;
  switch (extraRoleOf(request) ?? roleOf(request)) {
    case "planner":
      return { toolCalls: planned ? [planned] : [] };
    case "tester":
      return { toolCalls: text.includes("Held-out tests that are used up") ? [another] : tests ? [tests] : [] };
    case "reflector":
      return { toolCalls: [call("finish", { cause: "unknown", hypothesis: "look again", next: "code" })] };
    case "debugger": {
      const found = { cause: "implementation_bug", finding: "it subtracts", instructions: "answer the tests' values" };
      return { toolCalls: [call("finish", { ...found, alternatives: ["use +"] })] };
    }
    default: {
      if (text.includes("Somebody debugged this")) {
        const change = text.includes("use +") ? edit("return a + b") : edit("return 5 if a == 2 else 0");
        return { toolCalls: [turn === 0 ? change : finish] };
      }
      // In the second iteration nothing is changed: the same tests stay red on the same tree.
      const wrong = call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a - b\n" });
      return { toolCalls: [turn === 0 && !text.includes("Notes from earlier attempts") ? wrong : finish] };
    }
  }
};
