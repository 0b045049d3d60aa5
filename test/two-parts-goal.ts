import type { GoalKind } from "../src/domain/plan/spec.ts";
import type { ScriptedAnswer, ServedRequest } from "./model-server.ts";
import { call, roleOf } from "./scripted-goal.ts";

/*
 * A goal of two todos that do not depend on each other. Both also write src/index.js, which their plan does not say: the
 * second one does not fit and is worked again. Every answer follows from the request alone.
 */

export const twoPartsGoal = "A module that doubles and halves numbers";

const testOf = (name: string, from: string, body: string) =>
  `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${name} } from "../src/${from}.js";\n\ntest("${name} works", () => {\n  ${body}\n});\n`;

const testsOf = (name: string, requirement: string, [seen, unseen]: [string, string]) => {
  const file = (path: string, body: string) => ({
    path,
    content: testOf(name, "index", body),
    todo: name,
    covers: [{ test: `${name} works`, requirement }],
  });
  return [file(`test/${name}.test.js`, seen), { ...file(`test/${name}-unseen.test.js`, unseen), heldOut: true }];
};

const planAs = (kind: GoalKind) =>
  call("finish", {
    size: "large",
    title: "numbers",
    kind,
    language: "javascript",
    requirements: [
      { id: "R1", text: "double(n), exported by src/index.js", quote: "doubles" },
      { id: "R2", text: "halve(n), exported by src/index.js", quote: "halves numbers" },
    ],
    todos: [
      { id: "double", title: "write double", requirements: ["R1"], artifacts: ["src/double.js"] },
      { id: "halve", title: "write halve", requirements: ["R2"], artifacts: ["src/halve.js"] },
    ],
  });

const testsAs = (kind: GoalKind) =>
  call("finish", {
    files: [
      ...testsOf("double", "R1", ["assert.equal(double(2), 4);", "assert.equal(double(21), 42);"]),
      ...testsOf("halve", "R2", ["assert.equal(halve(4), 2);", "assert.equal(halve(90), 45);"]),
    ].filter((file) => kind === "feature" || !("heldOut" in file)),
  });

const coding = (name: string, code: string) => [
  call("create_file", { path: `src/${name}.js`, content: `export const ${name} = ${code};\n` }),
  call("create_file", { path: "src/index.js", content: `export { ${name} } from "./${name}.js";\n` }),
  call("finish", { summary: `wrote ${name}` }),
];

const rework = [
  call("create_file", { path: "src/halve.js", content: "export const halve = (n) => n / 2;\n" }),
  call("edit_file", {
    path: "src/index.js",
    oldText: 'export { double } from "./double.js";\n',
    newText: 'export { double } from "./double.js";\nexport { halve } from "./halve.js";\n',
  }),
  call("finish", { summary: "halve beside double" }),
];

/** Which todo a coder's request is about; `again` when it is worked on a second time. */
export function partOf(request: ServedRequest): "double" | "halve" | "again" | null {
  if (roleOf(request) !== "coder") return null;
  const text = request.messages[0]?.text ?? "";
  if (text.includes("Your change does not fit")) return "again";
  return text.includes("write double.") ? "double" : "halve";
}

/** As a chore there is nothing to prove beyond the visible tests: the same walk in a fraction of the time. */
export const twoParts =
  (kind: "feature" | "chore") =>
  (request: ServedRequest): ScriptedAnswer => {
    const turn = request.messages.filter((message) => message.role === "assistant").length;
    const part = partOf(request);
    const turns = {
      double: coding("double", "(n) => n * 2"),
      halve: coding("halve", "(n) => n / 2"),
      again: rework,
    };
    const role = roleOf(request);
    const answers = part ? turns[part] : role === "planner" ? [planAs(kind)] : [testsAs(kind)];
    const next = answers[turn];
    if (!next) throw new Error(`no answer for the ${role} in turn ${turn}`);
    return { toolCalls: [next] };
  };
