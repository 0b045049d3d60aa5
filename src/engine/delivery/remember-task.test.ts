import { expect, test } from "vitest";
import { shorn } from "../hands/best-effort.ts";
import { interfacesIn, patternOf } from "./remember-task.ts";

const change = shorn(`diff --git a/calc.py b/calc.py
new file mode 100644
index 0000000..4693ad3
--- /dev/null
+++ b/calc.py
@@ -0,0 +1,6 @@
+class Sum:
+    def inner(self):
+        return 1
+def add(a, b):
+    return a + b
diff --git a/web.ts b/web.ts
index 1111111..2222222 100644
--- a/web.ts
+++ b/web.ts
@@ -1,2 +1,3 @@
-export function gone(): void {
+export async function total(items: number[]): Promise<number> {
+export const LIMIT = 3;
 export function stays(): void {
`);

test("a diff is kept without what only git reads", () => {
  expect(change).not.toMatch(/^diff|^index|^new file|dev\/null/m);
  expect(change).toContain("+++ b/calc.py\n@@ -0,0 +1,6 @@\n+class Sum:");
  expect(change).toContain("--- a/web.ts\n+++ b/web.ts");
});

test("what a change is called by are the outermost definitions that it adds", () => {
  expect(interfacesIn(change)).toEqual([
    "class Sum",
    "def add(a, b)",
    "export async function total(items: number[]): Promise<number>",
    "export const LIMIT = 3;",
  ]);
});

test("a pattern holds plan, interfaces, change and tests", () => {
  const requirement = { id: "R1", text: "add returns the sum", assumption: false };
  const spec = { title: "sums", kind: "feature", language: "python", requirements: [requirement] } as const;
  const planned = {
    size: "small" as const,
    spec: { ...spec, requirements: [requirement], outOfScope: [], accept: [] },
    plan: { todos: [{ id: "add", title: "write add", ...EMPTY }] },
    relevantFiles: [],
  };
  expect(patternOf(planned, "add numbers", change, [{ path: "t.py", content: "assert add(1, 2) == 3" }])).toMatchObject(
    {
      kind: "pattern",
      problemType: "feature in python",
      description: "sums\nadd numbers",
      plan: "R1: add returns the sum\nadd: write add",
      testTemplate: "t.py\nassert add(1, 2) == 3",
    },
  );
});

const EMPTY = { role: "coder" as const, dependsOn: [], requirements: [], acceptance: [], artifacts: [] };
