import { expect, test } from "vitest";
import type { Todo } from "../../domain/plan/plan.ts";
import { concernedTodos } from "./concerned-todos.ts";

const todo = (id: string, ...artifacts: string[]): Todo => ({
  id,
  title: id,
  role: "coder",
  dependsOn: [],
  requirements: [],
  acceptance: [],
  artifacts,
});
const todos = [todo("parse", "a.ts"), todo("layout", "b.ts", "c.ts"), todo("render", "c.ts")];
const ids = (...paths: string[]) => concernedTodos(todos, paths).map(({ id }) => id);

test("files lead to the todos that make them, and a file of nobody's to all", () => {
  expect(ids("a.ts")).toEqual(["parse"]);
  expect(ids("c.ts", "a.ts")).toEqual(["parse", "layout", "render"]);
  expect(ids("c.ts")).toEqual(["layout", "render"]);
  expect(ids("a.ts", "d.ts")).toEqual(["parse", "layout", "render"]);
});
