import { expect, test } from "vitest";
import { missingDemand } from "./missing-demand.ts";

const demands = [
  { id: "R1", text: "`tool --help` prints how it is used and ends with 0", assumption: false },
  { id: "R2", text: "a wrong argument ends with 2", assumption: false },
];
const help = { id: "R1", text: "`python todo.py --help` prints its usage" };
const wrong = { id: "R2", text: "a missing or wrong argument ends with exit code 2" };
const problem = (requirements: { id: string; text: string }[], outOfScope: string[] = [], words = "") =>
  missingDemand(demands, { requirements, outOfScope }, words);

test("a plan with every requirement of the template, made precise, is taken", () => {
  expect(problem([help, wrong, { id: "R3", text: "todo.py add stores an item" }])).toBeUndefined();
});

test("one that is left out is named by its id", () => {
  expect(problem([wrong])).toMatch(/^the plan leaves out R1 of the template: `tool --help` prints/);
});

test("something else under its id is not it", () => {
  expect(problem([{ id: "R1", text: "items are stored as JSON" }, wrong])).toMatch(/^R1 is the template's/);
});

test("the person's words take one out, and no other words do", () => {
  const words = "A todo list. It needs no help text at all.";
  expect(problem([wrong], ["R1: no help text at all"], words)).toBeUndefined();
  expect(problem([wrong], ["R1: help is for beginners"], words)).toContain("leaves out R1");
  expect(problem([wrong], ["R2: no help text at all"], words)).toContain("leaves out R1");
});
