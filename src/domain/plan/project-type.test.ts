import { expect, test } from "vitest";
import { detectType } from "./project-type.ts";

const inEmpty = (goal: string) => detectType(goal, () => null)?.type ?? null;
const inProject = (files: Record<string, string>, goal = "mend the sum") =>
  detectType(goal, (path) => files[path] ?? null)?.type ?? null;

test("a goal that names a type is of it, and one that may mean anything is of none", () => {
  const types = {
    "Build a REST API for pears": "web_app",
    "an HTTP service: GET /reverse?text=abc answers with the text reversed": "web_app",
    "Build a CLI that counts words": "cli_tool",
    "a command-line tool that renames files": "cli_tool",
    "write a data pipeline from orders to totals": "data_pipeline",
    "A library for intervals": "library",
    "Write a module that adds two numbers": null,
    "add must return the sum": null,
    "parse it as https://docs.python.org/3/library/json.html says": null,
    "parse it as docs.python.org/3/library/json.html says": null,
    "parse it as docs/library/json.md says, see src/cli.py": null,
    'the title must read "The Library of Babel"': null,
    "rename “CLI” and `REST API` to 'web app'": null,
    "it's a CLI, that's all": "cli_tool",
    "Build an RSI trading strategy for GOLD": "trading_strategy",
    "a MACD strategy with a stop": "trading_strategy",
    "a retry strategy for the client": null,
    "read the CSV and print the totals": null,
    "the client must retry requests": null,
  };
  expect(Object.fromEntries(Object.keys(types).map((goal) => [goal, inEmpty(goal)]))).toEqual(types);
});

test("where the goal names two types nobody guesses, and the manifests count only where it names none", () => {
  expect(inEmpty("a CLI for our REST API")).toBeNull();
  const express = { "package.json": '{ "dependencies": { "express": "5" } }' };
  expect(inProject(express)).toBe("web_app");
  expect(inProject(express, "a CLI that lists users")).toBe("cli_tool");
  expect(inProject({ "package.json": '{ "bin": "x.js", "dependencies": { "express": "5" } }' })).toBeNull();
  expect(inProject({ "pyproject.toml": '[project.scripts]\nx = "x:main"\n' })).toBe("cli_tool");
  expect(inProject({ "requirements.txt": "flask==3\n" })).toBe("web_app");
  expect(inProject({ "package.json": '{ "name": "plain" }' })).toBeNull();
});

test("the whole template is meant only where its steps are what is asked for", () => {
  expect(detectType("a trading strategy", () => null)?.binds).toBe(true);
  expect(detectType("Build a REST API for pears", () => null)?.binds).toBe(false);
});

test("what told it is said", () => {
  expect(detectType("Build a REST API for pears", () => null)?.because).toBe("the goal says “REST API”");
});
