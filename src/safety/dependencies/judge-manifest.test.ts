import { describe, expect, test } from "vitest";
import { packageRoot } from "../../config/package-root.ts";
import { mergeDependencyPolicy } from "./dependency-rules.ts";
import { judgeManifest } from "./judge-manifest.ts";
import { loadDependencyRules } from "./load-dependency-rules.ts";

const rules = await loadDependencyRules(packageRoot());
const found = (path: string, after: string, before: string | null = null) =>
  judgeManifest(path, before, after, rules).map(
    ({ rule, excerpt, line }) => `${line} ${rule.replace("dependency.", "")} ${excerpt}`,
  );

describe("requirements.txt", () => {
  test("lists what is not allowed, by line", () => {
    const text =
      "# ours\npytest>=8\nreqeusts\nunheard-of==1.0 ; python_version > '3'\nPyYAML==5.1\ngit+https://example.org/x\n-e ./lib\n--extra-index-url http://example.org\n-r other.txt\n";
    expect(found("requirements.txt", text)).toEqual([
      "3 typo reqeusts",
      "4 unlisted unheard-of ==1.0",
      "5 version PyYAML ==5.1",
      "6 direct git+https://example.org/x",
      "7 direct ././lib",
      "8 registry --extra-index-url http://example.org",
    ]);
  });

  test("tells only what is new", () => {
    expect(found("requirements-dev.txt", "unheard-of\nnew-one\n", "unheard-of\n")).toEqual(["2 unlisted new-one"]);
  });
});

test("a name that is nearly one that the project uses is called a misspelling, a further version of it is not", () => {
  const used = "greeting-cards==1.0\n";
  expect(found("requirements.txt", `${used}greetingcard-s\ngreetnig-cards\nother-thing\n`, used)).toEqual([
    "2 typo greetingcard-s",
    "3 typo greetnig-cards",
    "4 unlisted other-thing",
  ]);
  expect(found("requirements.txt", "Greeting_Cards==2.0\n", used)).toEqual(["1 unlisted Greeting_Cards ==2.0"]);
});

test("a package by name says which one, for whoever looks it up", () => {
  const packages = judgeManifest("a/package.json", null, '{"dependencies":{"unheard-of":"^1"}}', rules);
  expect(packages).toMatchObject([{ package: { language: "javascript", name: "unheard-of", range: "^1" } }]);
  expect(judgeManifest("requirements.txt", null, "git+https://example.org/x\n", rules)[0]).not.toHaveProperty(
    "package",
  );
});

describe("package.json", () => {
  test("lists packages, addresses and scripts that run by themselves", () => {
    const text = JSON.stringify(
      {
        dependencies: {
          zod: "^3.22.0",
          lodahs: "^4.0.0",
          own: "file:../own",
          fork: "someone/fork",
          renamed: "npm:unheard-of@1",
        },
        scripts: { test: "node --test", postinstall: "node x.js" },
      },
      null,
      1,
    );
    expect(found("web/package.json", text)).toEqual([
      "4 typo lodahs ^4.0.0",
      "5 direct own@file:../own",
      "6 direct fork@someone/fork",
      "7 unlisted unheard-of 1",
      "11 script postinstall node x.js",
    ]);
  });

  test("that cannot be read is itself a finding", () => {
    expect(found("package.json", "{")).toEqual(["1 unreadable package.json"]);
  });
});

describe("pyproject.toml", () => {
  test("is read in the ways that pip, poetry and uv write it", () => {
    const text = [
      "[project]",
      'dependencies = ["pytest>=8", "unheard-of"]',
      "[project.optional-dependencies]",
      "dev = [",
      '  "ruff",  # fine',
      '  "rufff",',
      "]",
      "[tool.poetry.dependencies]",
      'python = "^3.11"',
      'other-unheard = "^1"',
      'mine = { git = "https://example.org/x" }',
      "[[tool.uv.index]]",
      'url = "http://example.org"',
    ].join("\n");
    expect(found("pyproject.toml", text)).toEqual([
      "2 unlisted unheard-of",
      "6 typo rufff",
      "10 unlisted other-unheard ^1",
      '11 direct mine = { git = "https://example.org/x" }',
      '13 registry url = "http://example.org"',
    ]);
  });
});

describe("go.mod", () => {
  test("lists modules and replacements", () => {
    const text =
      "module example.org/x\n\ngo 1.24\n\nrequire github.com/stretchr/testify v1.9.0\n\nrequire (\n\tgithub.com/strecthr/testify v1.9.0\n\texample.org/other v1.0.0 // indirect\n)\n\nreplace example.org/other => ../other\n";
    expect(found("go.mod", text)).toEqual([
      "8 typo github.com/strecthr/testify v1.9.0",
      "9 unlisted example.org/other v1.0.0",
      "12 direct example.org/other => ../other",
    ]);
  });
});

describe("settings of package managers", () => {
  test("that change the registry or switch scripts on are findings", () => {
    expect(found(".npmrc", "registry=http://example.org\nignore-scripts=false\nsave-exact=true\n")).toEqual([
      "1 registry registry=http://example.org",
      "2 script ignore-scripts=false",
    ]);
  });
});

test("other files are nobody's manifest, and a deleted one adds nothing", () => {
  expect(found("src/main.py", "import unheard_of")).toEqual([]);
  expect(judgeManifest("package.json", "{}", null, rules)).toEqual([]);
});

describe("a package that a manifest names", () => {
  const kinds = (name: string, version = "") =>
    judgeManifest("requirements.txt", null, `${name}${version}`, rules).map(
      ({ rule, severity }) => `${rule} ${severity}`,
    );

  test("is known by any spelling that the registry takes for the same", () => {
    expect(kinds("PyYAML", ">=6")).toEqual([]);
    expect(kinds("typing_extensions")).toEqual([]);
  });

  test("that imitates a listed name is called so", () => {
    for (const name of [
      "reqeusts",
      "request",
      "requestss",
      "python-requests",
      "requests-dev",
      "nurnpy",
      "pandsa",
      "fl4sk-not",
    ]) {
      const expected = name === "fl4sk-not" ? "dependency.unlisted high" : "dependency.typo critical";
      expect({ name, kinds: kinds(name) }).toEqual({ name, kinds: [expected] });
    }
  });

  test("can be added, limited and taken off by the user", () => {
    const own = mergeDependencyPolicy(rules, { python: { "unheard-of": ">=1,<2", requests: null } });
    const of = (name: string, version: string, list = own) =>
      judgeManifest("requirements.txt", null, `${name}${version}`, list).map(({ rule }) => rule);
    expect(of("unheard-of", "==1.5")).toEqual([]);
    expect(of("unheard-of", "==2.0")).toEqual(["dependency.version"]);
    expect(of("requests", "==2.32")).toEqual(["dependency.unlisted"]);
    expect(of("requests", "==2.32", rules)).toEqual([]);
  });
});
