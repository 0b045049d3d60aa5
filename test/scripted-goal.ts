import type { Script, ScriptedAnswer, ServedRequest } from "./model-server.ts";

type Call = { name: string; arguments: object | string };

/** What each role does, in order; a coder's turns are counted over all iterations. */
export interface ScriptedRoles {
  planner?: Call[];
  tester?: Call[];
  coder: Call[];
  reflector?: Call[];
  judge?: Call[];
  reviewer?: Call[];
  auditor?: Call[];
  reprompter?: Call[];
  debugger?: Call[];
  architect?: Call[];
}

type Extra = "reviewer" | "auditor" | "reprompter" | "debugger" | "architect";

/** Which role a request is for: its prompt says so in the first sentence. */
export function roleOf(request: ServedRequest): Exclude<keyof ScriptedRoles, Extra> {
  if (request.system.startsWith("You plan software work")) return "planner";
  if (request.system.startsWith("You write the tests")) return "tester";
  if (request.system.startsWith("You find out why")) return "reflector";
  if (request.system.startsWith("You settle a dispute")) return "judge";
  return "coder";
}

/** Roles that are asked only where a test wants them. */
export function extraRoleOf(request: ServedRequest): Extra | undefined {
  if (request.system.startsWith("You review a change")) return "reviewer";
  if (request.system.startsWith("You make a vague goal")) return "reprompter";
  if (request.system.startsWith("You debug work")) return "debugger";
  if (request.system.startsWith("You design how")) return "architect";
  return request.system.startsWith("You audit the security") ? "auditor" : undefined;
}

/** A script that answers each role from its own list. */
export function byRole(roles: ScriptedRoles): Script {
  const used = {
    planner: 0,
    tester: 0,
    coder: 0,
    reflector: 0,
    judge: 0,
    reviewer: 0,
    auditor: 0,
    reprompter: 0,
    debugger: 0,
    architect: 0,
  };
  return (request): ScriptedAnswer => {
    const role = extraRoleOf(request) ?? roleOf(request);
    const next = roles[role]?.[used[role]];
    used[role] += 1;
    if (!next) throw new Error(`the script has no answer number ${used[role]} for the ${role}`);
    return { toolCalls: [next] };
  };
}

/** One conversation whose turns follow from the request alone: whoever comes back after a stop gets the same answer. */
export const byTurn =
  (...calls: Call[]): Script =>
  (request) => ({
    toolCalls: [
      calls[request.messages.filter((message) => message.role === "assistant").length] ??
        call("finish", { summary: "" }),
    ],
  });

export const call = (name: string, args: object | string): Call => ({ name, arguments: args });

/** A small Python goal with one mistake in it: red, a reflection, green. */
export const addGoal: Required<Omit<ScriptedRoles, Extra>> = {
  planner: [
    call("finish", {
      size: "small",
      title: "add two numbers",
      kind: "feature",
      language: "python",
      requirements: [
        {
          id: "R1",
          text: "calc.add(a, b) returns the sum of two numbers",
          quote: "adds two numbers",
          example: { input: "add(2, 3)", output: "5" },
        },
      ],
      todos: [{ id: "add", title: "write calc.add" }],
    }),
  ],
  tester: [
    call("finish", {
      files: [
        {
          path: "tests/test_add.py",
          content:
            "from calc import add\n\n\ndef test_adds():\n    assert add(2, 3) == 5\n\n\ndef test_adds_negative():\n    assert add(-1, 1) == 0\n",
          todo: "add",
          covers: [
            { test: "test_adds", requirement: "R1" },
            { test: "test_adds_negative", requirement: "R1" },
          ],
        },
        {
          path: "tests/test_add_unseen.py",
          content: "from calc import add\n\n\ndef test_adds_unseen():\n    assert add(20, 22) == 42\n",
          heldOut: true,
          todo: "add",
          covers: [{ test: "test_adds_unseen", requirement: "R1" }],
        },
      ],
    }),
  ],
  coder: [
    call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a - b\n" }),
    call("finish", { summary: "wrote add" }),
    call("edit_file", { path: "calc.py", oldText: "a - b", newText: "a + b" }),
    call("run_tests", {}),
    call("finish", { summary: "add adds now" }),
  ],
  reflector: [call("finish", { cause: "add subtracts", hypothesis: "use + instead of - in calc.py", next: "code" })],
  judge: [],
};

/** The least a `--direct` goal can be: one file. */
export const helloGoal = [
  call("create_file", { path: "hello.txt", content: "hello\n" }),
  call("finish", { summary: "wrote hello.txt" }),
];

/** The goal above, of which only the first answer comes before it is released. */
export function heldGoal() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const good = byTurn(...helloGoal);
  const script: Script = async (request, index) => {
    if (index > 0) await promise;
    return good(request, index);
  };
  return { script, release };
}
