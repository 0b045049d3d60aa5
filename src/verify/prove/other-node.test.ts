import { expect, test } from "vitest";
import { admits, otherNode } from "./other-node.ts";

test.each<[string, boolean | null]>([
  ["20", false],
  ["v20.11.1", false],
  ["24.x", true],
  ["^20 || ^24", true],
  [">=18", true],
  [">= 18 <23", false],
  ["18 - 22", false],
  ["<24.1", true],
  ["<24.0.0", false],
  ["*", true],
  ["lts/iron", null],
])("whether %s has a Node 24", (range, has) => {
  expect(admits(range, 24)).toBe(has);
});

test("a project that wants another Node than ours is told which one its tests ran on, and where it says so", () => {
  const files = (given: Record<string, string>) => (path: string) => given[path] ?? null;
  const asks = "the tests of JavaScript ran on Node v24.2.0, which comes with Miracle; ";
  expect(otherNode("v24.2.0", files({ ".nvmrc": "20\n" }))).toEqual([`${asks}.nvmrc asks for 20`]);
  const manifest = JSON.stringify({ engines: { node: "^20.1" } });
  expect(otherNode("v24.2.0", files({ "package.json": manifest }))).toEqual([
    `${asks}engines of package.json asks for ^20.1`,
  ]);
  expect(otherNode("v24.2.0", files({ ".nvmrc": "lts/*", "package.json": '{"engines":{"node":">=20"}}' }))).toEqual([]);
  expect(otherNode(undefined, files({ ".nvmrc": "20" }))).toEqual([]);
});
