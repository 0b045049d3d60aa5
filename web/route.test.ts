import { expect, test } from "vitest";
import { hrefOf, type Route, readRoute } from "./route.ts";

test.each<Route>([
  { page: "tasks" },
  { page: "new" },
  { page: "task", id: "t0a1b2c3d", tab: "live" },
  { page: "task", id: "t0a1b2c3d", tab: "change" },
  { page: "compare", left: "", right: "" },
  { page: "compare", left: "t1", right: "t2" },
  { page: "settings" },
])("an address leads back to where it was made: %o", (route) => {
  expect(readRoute(hrefOf(route))).toEqual(route);
});

test("an address that nobody made leads to the tasks, and an unknown part of a task to its live view", () => {
  expect(readRoute("#/nowhere")).toEqual({ page: "tasks" });
  expect(readRoute("")).toEqual({ page: "tasks" });
  expect(readRoute("#/tasks/t1/elsewhere")).toEqual({ page: "task", id: "t1", tab: "live" });
  expect(readRoute("#/tasks/%E0%A4%A")).toMatchObject({ page: "task", id: "%E0%A4%A" });
});
