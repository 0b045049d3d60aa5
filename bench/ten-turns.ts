import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, ChatRequest } from "./model-server.ts";

export const GOAL = "Write calc.py with add and sub and a unittest for both, run it, and say what you did.";

/** What the scripted model does: nine commands, then a text. Each takes one turn. */
const COMMANDS = [
  "ls",
  "printf 'def add(a, b):\\n    return a + b\\n' > calc.py",
  "printf 'import unittest\\nfrom calc import *\\nclass T(unittest.TestCase):\\n    def test_add(self):\\n        self.assertEqual(add(2, 3), 5)\\n' > test_calc.py",
  "/usr/bin/python3 -m unittest -q test_calc",
  "printf '\\ndef sub(a, b):\\n    return a - b\\n' >> calc.py",
  "printf '    def test_sub(self):\\n        self.assertEqual(sub(5, 3), 2)\\n' >> test_calc.py",
  "/usr/bin/python3 -m unittest -q test_calc",
  "grep -c def calc.py test_calc.py",
  "cat calc.py",
];

export const TURNS = COMMANDS.length + 1;

export function tenTurns(request: ChatRequest): Answer {
  const turn = request.messages.filter((message) => message.role === "tool").length;
  const command = COMMANDS[turn];
  const shell = request.tools.map((tool) => tool.function.name).find((name) => /^(bash|run_command)$/.test(name));
  return command === undefined || shell === undefined ? { text: "done" } : { tool: shell, arguments: { command } };
}

/** The commands must have had their effect on the project, or a fast agent is no agent. */
export function checkResult(directory: string, exchanges: number): void {
  const calc = readFileSync(join(directory, "calc.py"), "utf8");
  if (exchanges !== TURNS || !calc.includes("def add") || !calc.includes("def sub")) {
    throw new Error(`an agent did not do the scripted work: ${exchanges} of ${TURNS} turns`);
  }
}

/** A project of so many small files. */
export function projectOf(files: number): Record<string, string> {
  const entries = Array.from({ length: files }, (_, index): [string, string] => [
    `part_${index % 10}/module_${index}.py`,
    `def value_${index}():\n    return ${index}\n`.repeat(10),
  ]);
  return Object.fromEntries(entries);
}
