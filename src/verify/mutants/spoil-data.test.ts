import { expect, test } from "vitest";
import { LIMITS, SampleProject } from "../../../test/sample-project.ts";
import { Python } from "../../languages/python/python.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { sensitivityInData, spoiled } from "./spoil-data.ts";

const language = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });
const everything = [{ from: 1, to: 1000 }];

test("one value of a line becomes another, digits stay digits, and code is left alone", () => {
  const content = '{\n  "name": "sma",\n  "length": 19\n}\n';
  expect(spoiled({ path: "data.json", content }, everything)).toEqual([
    '{\n  "name": "smx",\n  "length": 19\n}\n',
    '{\n  "name": "sma",\n  "length": 10\n}\n',
  ]);
  expect(spoiled({ path: "data.json", content }, [{ from: 3, to: 3 }])).toHaveLength(1);
  expect(spoiled({ path: "data.py", content }, everything)).toEqual([]);
});

test("tests of data are good when they notice another value of it, and only then", async () => {
  const files = {
    "data.json": '{\n  "rate": 19\n}\n',
    "test_data.py":
      'import json\n\n\ndef test_rate():\n    assert json.load(open("data.json"))["rate"] == 19\n\n\ndef test_is_there():\n    assert open("data.json").read()\n',
  };
  using project = new SampleProject(files);
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const sensitivity = await sensitivityInData({
    language,
    sandbox,
    limits: LIMITS,
    toolchain: await language.toolchain(project.directory),
    signal: new AbortController().signal,
    changed: new Map([["data.json", everything]]),
    read: () => files["data.json"],
    parsers: new SyntaxParsers(),
    sensitivity: [
      { id: "R1", state: "unnoticed" },
      { id: "R2", state: "unnoticed" },
      { id: "R3", state: "no-time" },
    ],
    requirements: [
      { id: "R1", tests: ["test_data.py::test_rate"] },
      { id: "R2", tests: ["test_data.py::test_is_there"] },
      { id: "R3", tests: ["test_data.py::test_rate"] },
    ],
    red: new Set(),
    layOut: async () => project.directory,
    budgetMs: 60_000,
  });
  expect(sensitivity.map(({ state }) => state)).toEqual(["noticed", "unnoticed", "no-time"]);
});
