import { expect, test } from "vitest";
import { unprovenLanguageOf, unprovenProject } from "./unproven-language.ts";

test("a project in a language that nothing proves is known by its manifest", () => {
  const rust = ["Cargo.toml", "README.md", "src"];
  expect(unprovenProject(rust, "add a flag")).toEqual({ name: "Rust", test: "cargo test", sign: "Cargo.toml" });
  expect(unprovenProject(["README.md", "docs"], "add a flag")).toBeNull();
});

test("any sign of a language of ours, or a goal that asks for one, is enough to try", () => {
  expect(unprovenProject(["Cargo.toml", "pyproject.toml"], "add a flag")).toBeNull();
  expect(unprovenProject(["Gemfile", "tool.py"], "add a flag")).toBeNull();
  expect(unprovenProject(["Cargo.toml"], "write a Python script that bumps the version")).toBeNull();
});

test("changed files tell it, unless one of them is in a language of ours", () => {
  expect(unprovenLanguageOf(["README.md", "src/main.rs"])?.name).toBe("Rust");
  expect(unprovenLanguageOf(["src/main.rs", "tools/bump.py"])).toBeNull();
  expect(unprovenLanguageOf(["README.md"])).toBeNull();
});
