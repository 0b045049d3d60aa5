import { expect, test } from "vitest";
import { canDo, Job, WishedLabels } from "../../queue/job.ts";
import { needsOfTodo } from "./needs-of-task.ts";
import { ownLabels } from "./own-labels.ts";

const place = { directories: null, at: "/", env: { PATH: "/usr/bin:/bin" } };
const guest = (version: string, roles: string[]) => ({
  labels: [...ownLabels({ ...place, version }), ...roles, "gpu"],
  projects: null,
});
const todoOf = (version: string, language = "javascript") => {
  const task = ["gpu", "tasks"];
  return { project: "/shop", labels: needsOfTodo(task, { language, version }) };
};

test("a todo is lent to workers for todos, of the same version, with its language and its task's labels", () => {
  const todo = todoOf("1.2.0-rc.1+build");
  expect(canDo(guest("1.2.0-rc.1+build", ["todos"]), todo)).toBe(true);
  expect(canDo(guest("1.2.0", ["todos"]), todo), "of another version").toBe(false);
  expect(canDo(guest("1.2.0-rc.1+build", ["tasks"]), todo), "for tasks alone").toBe(false);
  const { labels } = guest("1.2.0", ["todos"]);
  const todoInPython = todoOf("1.2.0", "python");
  const without = (gone: string) => ({ labels: labels.filter((label) => label !== gone), projects: null });
  expect(canDo(without("python"), todoInPython), "without the toolchain").toBe(false);
  expect(canDo(without("gpu"), todoOf("1.2.0")), "without a label of its task").toBe(false);
});

test("as many labels as a person may ask for leave room for what a job needs by itself", () => {
  const asked = WishedLabels.parse(Array.from({ length: 16 }, (_, index) => `label-${index}`));
  const labels = needsOfTodo([...asked, "format-1", "go", "directory", "tasks"], { language: "go", version: "0.1.0" });
  expect(Job.shape.labels.parse(labels)).toHaveLength(21);
});
