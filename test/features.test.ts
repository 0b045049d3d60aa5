import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { wholeProgram } from "../src/cli/command-line.ts";
import { commands } from "../src/cli/command-table.ts";
import { fakeTerminal } from "./fake-terminal.ts";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/features.md"), "utf8");

/** How many requirements there are of each kind. */
const KINDS = { L: 11, P: 16, M: 6, S: 7, G: 3, V: 5, O: 8, X: 13 };

test("every requirement has a row, once, with something that shows it", () => {
  const wanted = Object.entries(KINDS).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, at) => `${kind}${at + 1}`),
  );
  const rows = [...page.matchAll(/^\| ([A-Z]\d+) \| (.+) \| (.+) \|$/gm)];
  expect(rows.map(([, id]) => id)).toEqual(wanted);
  for (const [, id, , see = ""] of rows) expect(see, id).toMatch(/`[^`]+`|\]\(|this page/);
});

test("every command, file and script that the page names exists", () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const [, word = ""] of page.matchAll(/`(?:[A-Z_]+=… )?miracle ([a-z][a-z-]*)/g)) {
    expect(Object.keys(commands)).toContain(word);
  }
  for (const [, name = ""] of page.matchAll(/`npm run ([a-z:]+)/g)) expect(Object.keys(scripts)).toContain(name);
  for (const [, path = ""] of page.matchAll(/`((?:src|config|cassettes)\/[\w./-]*|Dockerfile)`/g)) {
    expect(existsSync(join(root, path)), path).toBe(true);
  }
  for (const [, path = ""] of page.matchAll(/\]\(([^)]+)\)/g)) {
    expect(existsSync(join(root, "docs", path)), path).toBe(true);
  }
});

test("every flag that the page prints is one of its command", async () => {
  const program = await wholeProgram(fakeTerminal());
  const named = (parent: Command | undefined, word = "") => parent?.commands.find((command) => command.name() === word);
  const printed = [...page.matchAll(/`(?:[A-Z_]+=… )?miracle ([a-z][^`]+)`/g)].map(([, words = ""]) => words);
  expect(printed.length).toBeGreaterThan(70);
  for (const line of printed) {
    const words = line.replace(/"[^"]*"/g, "WORDS").split(" ");
    const command = named(program, words[0]);
    const called = named(command, words[1]) ?? command;
    const known = called?.options.flatMap(({ long, short }) => [long, short]);
    for (const flag of words.filter((word) => /^--?[a-z]/.test(word))) expect(known, line).toContain(flag);
  }
});

test("every page that a setting, the README or a help text points to exists", () => {
  for (const file of ["config/settings.yaml", "config/database.yaml", "config/models.yaml", "README.md"]) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [path] of text.matchAll(/docs\/[\w/-]+\.(?:md|png|svg)/g))
      expect(existsSync(join(root, path)), path).toBe(true);
  }
});

test("every model that a shipped file names has a price", async () => {
  const { parse } = await import("yaml");
  const read = (name: string) => readFileSync(join(root, "config", name), "utf8");
  const { priceOf } = await import("../src/llm/prices.ts");
  const { prices } = parse(read("prices.yaml"));
  const { providers }: { providers: Record<string, { defaultModel?: string }> } = parse(read("models.yaml"));
  const defaults = Object.entries(providers).flatMap(([name, { defaultModel }]) =>
    defaultModel ? [`${name}/${defaultModel}`] : [],
  );
  const named = [
    ...`${read("models.yaml")}${read("settings.yaml")}`.matchAll(/\b(?:openai|anthropic|google)\/[\w.-]*\w/g),
  ].map(([model]) => model);
  for (const model of [
    ...defaults,
    ...named.filter((model) => model !== "openai/gpt"),
    "openai/text-embedding-3-large",
  ]) {
    expect(priceOf(model, prices), model).toBeDefined();
  }
});

test("each example is a goal that its command takes, and every variable of .env.example is one that is read", () => {
  const told = [
    ...readFileSync(join(root, "examples/README.md"), "utf8").matchAll(/miracle run -p (\w+) - < \.\.\/(\S+)/g),
  ];
  expect(told).toHaveLength(3);
  for (const [, type = "", path = ""] of told) {
    expect(existsSync(join(root, "config/templates", `${type}.yaml`)), type).toBe(true);
    expect(readFileSync(join(root, path), "utf8").trim().length, path).toBeGreaterThan(100);
  }
  const variables = [...readFileSync(join(root, ".env.example"), "utf8").matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)];
  expect(variables.length).toBeGreaterThan(5);
  const readers = ["docker-compose.yml", "config/models.yaml", ...readdirSync(join(root, "src/config")).map(inConfig)];
  const all = readers.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
  for (const [, name = ""] of variables) expect(all, name).toContain(name);
});

const inConfig = (name: string) => `src/config/${name}`;

test("the image of the sandbox has what every language needs", () => {
  const image = readFileSync(join(root, "Dockerfile.sandbox"), "utf8");
  for (const tool of ["python3-pytest", "python3-hypothesis", "nodejs", "golang-go", "git"])
    expect(image).toContain(tool);
});
