import type { Answer, ChatRequest } from "./model-server.ts";

export const GOAL = "total() in shop/cart.py forgets the quantity: two apples for 3 each must cost 6.";
export const ACCEPT = "python3 -m pytest -q";

const WRONG = "return sum(item.price for item in items)";
const RIGHT = "return sum(item.price * item.quantity for item in items)";

/** A repository of twenty files with one wrong line. */
export function repository(): Record<string, string> {
  const modules = Array.from({ length: 8 }, (_, index) => `topic_${index}`);
  return {
    "README.md": "# Shop\n\nA small shop.\n",
    "shop/__init__.py": "",
    "shop/item.py":
      "from dataclasses import dataclass\n\n\n@dataclass\nclass Item:\n    name: str\n    price: int\n    quantity: int = 1\n",
    "shop/cart.py": `def total(items):\n    """What all items cost together."""\n    ${WRONG}\n`,
    ...Object.fromEntries(modules.map((name) => [`shop/${name}.py`, `def ${name}():\n    return "${name}"\n`])),
    ...Object.fromEntries(
      modules.map((name) => [
        `tests/test_${name}.py`,
        `from shop.${name} import ${name}\n\n\ndef test_${name}():\n    assert ${name}() == "${name}"\n`,
      ]),
    ),
  };
}

const READ: Answer = { tool: "read_file", arguments: { path: "shop/cart.py" } };

/** What follows the reading. */
const CODER: Answer[] = [
  { tool: "edit_file", arguments: { path: "shop/cart.py", oldText: WRONG, newText: RIGHT } },
  { tool: "run_command", arguments: { command: ACCEPT } },
  { tool: "finish", arguments: { summary: "total() multiplies each price by its quantity." } },
];

const PLAN: Answer = {
  tool: "finish",
  arguments: {
    size: "small",
    title: "total() counts quantities",
    kind: "fix",
    language: "python",
    requirements: [
      {
        id: "R1",
        text: "total(items) is the sum of price times quantity",
        quote: "two apples for 3 each must cost 6",
        example: { input: "total([Item('apple', 3, 2)])", output: "6" },
      },
    ],
    todos: [{ id: "total", title: "multiply by the quantity in shop/cart.py", artifacts: ["shop/cart.py"] }],
    relevantFiles: ["shop/cart.py", "shop/item.py"],
  },
};

const TESTS: Answer = {
  tool: "finish",
  arguments: {
    files: [
      {
        path: "tests/test_cart.py",
        content:
          'from shop.cart import total\nfrom shop.item import Item\n\n\ndef test_total_counts_quantities():\n    assert total([Item("apple", 3, 2)]) == 6\n',
        todo: "total",
        covers: [{ test: "test_total_counts_quantities", requirement: "R1" }],
      },
      {
        path: "tests/test_cart_unseen.py",
        content:
          'from shop.cart import total\nfrom shop.item import Item\n\n\ndef test_total_of_several():\n    assert total([Item("pear", 4, 3), Item("fig", 2)]) == 14\n',
        heldOut: true,
        todo: "total",
        covers: [{ test: "test_total_of_several", requirement: "R1" }],
      },
    ],
  },
};

/**
 * Planner and tester finish at once. The coder's turns are the same on every path; with `trusting` it does not read what
 * it is shown already, as its prompt says. Whose turn it is shows in what `finish` takes.
 */
export function answerFix(request: ChatRequest, trusting: boolean): Answer {
  const finish = request.tools.find((tool) => tool.function.name === "finish");
  const result = Object.keys(finish?.function.parameters.properties ?? {});
  if (result.includes("todos")) return PLAN;
  if (result.includes("files")) return TESTS;
  const briefing = JSON.stringify(request.messages.find((message) => message.role === "user"));
  const turns = trusting && briefing.includes(WRONG) ? CODER : [READ, ...CODER];
  const turn = request.messages.filter((message) => message.role === "tool").length;
  return turns[turn] ?? { text: "done" };
}
