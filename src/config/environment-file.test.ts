import { expect, test } from "vitest";
import { parseEnvironmentFile } from "./environment-file.ts";

test("says which system packages, commands and variables a project needs", () => {
  const text = "system: [libpq5]\ncommands:\n  - pip install -r ci/deps.txt\nvariables: { MODE: test, DEBUG: 1 }\n";
  expect(parseEnvironmentFile(text)).toEqual({
    system: ["libpq5"],
    commands: ["pip install -r ci/deps.txt"],
    variables: { MODE: "test", DEBUG: "1" },
  });
  expect(parseEnvironmentFile("")).toEqual({ system: [], commands: [], variables: {} });
});

test.each([
  ["comands: [x]\n", 'environment.yaml:1:1: unknown key comands (did you mean "commands"?)'],
  ["system: [two words]\n", "environment.yaml:1:10: system.0: the name of a package"],
  ["commands: npm ci\n", "environment.yaml:1:11: commands: expected array"],
  ["variables:\n  A-B: x\n", "variables.A-B: "],
  ["variables: {\n", "environment.yaml:2:1: "],
])("refuses %j with the place", (text, message) => {
  expect(() => parseEnvironmentFile(text)).toThrow(message);
});

test.each(["PATH", "PYTEST_ADDOPTS", "PYTHONPATH", "NODE_OPTIONS", "LD_PRELOAD", "GOFLAGS", "npm_config_registry"])(
  "%s would steer the judges, and is refused",
  (name) => {
    expect(() => parseEnvironmentFile(`variables: { ${name}: x }\n`)).toThrow(`variables.${name}: `);
  },
);

test.each(["DATABASE_URL", "TZ", "DJANGO_SETTINGS_MODULE", "CGO_ENABLED", "GOOGLE_MODE"])(
  "%s is the project's",
  (name) => {
    expect(parseEnvironmentFile(`variables: { ${name}: x }\n`).variables).toEqual({ [name]: "x" });
  },
);
