import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { lastTask, listTasks } from "../src/store/tasks.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import type { Script } from "./model-server.ts";

/** 500 files, of which three matter. */
const files: Record<string, string> = Object.fromEntries(
  Array.from({ length: 497 }, (_, index) => [`src/part${index % 20}/module_${index}.py`, `VALUE = ${index}\n`]),
);
files["src/money/rounding.py"] = "import decimal\n\ndef to_cents(amount):\n    return round(amount * 100)\n";
files["src/net/retry.py"] = "LIMIT = 5\n\n\ndef wait(attempt):\n    return 2 ** attempt\n";
files["README.md"] = "# shop\n\nRun `make serve`.\n";

const asks: Record<string, { search: string; path: string; quote: string; line: number }> = {
  "where are prices rounded?": {
    search: "round(",
    path: "src/money/rounding.py",
    quote: "return round(amount * 100)",
    line: 4,
  },
  "how long is a retry waited for?": {
    search: "attempt",
    path: "src/net/retry.py",
    quote: "return 2 ** attempt",
    line: 5,
  },
  "how is it started?": { search: "make", path: "README.md", quote: "Run `make serve`.", line: 3 },
};

/** Looks for a word, reads what it found, and answers: first with a line that is not there. */
const reader: Script = ({ messages, system }) => {
  if (!system.startsWith("You answer a person's question")) throw new Error("this model only answers questions");
  const said = JSON.stringify(messages);
  const about = Object.entries(asks).find(([question]) => said.includes(question))?.[1];
  if (!about) throw new Error("a question that nobody scripted");
  const { search, path, quote } = about;
  const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] });
  if (!said.includes(path)) return call("search", { pattern: search });
  if (!said.includes("do not exist")) {
    return call("finish", { answer: "See [1].", places: [{ path, quote: "a line that I made up" }] });
  }
  return call("finish", { answer: "See [1].", places: [{ path, quote }] });
};

test("three questions about 500 files are answered with the right lines, within the budget that was named", async () => {
  const builder = await AppBuilder.create(reader, files);
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const miracle = async (...words: string[]) => {
    const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
    const exit = await runCommandLine(words, terminal);
    return { exit, output: terminal.outputs(), error: terminal.errors() };
  };
  for (const [question, { path, quote, line }] of Object.entries(asks)) {
    const { exit, output, error } = await miracle("ask", question, "--max-tokens", "60000");
    expect({ exit, output }, error).toEqual({
      exit: EXIT.done,
      output: `See [1].\n  [1] ${path}:${line}\n      ${quote}\n`,
    });
    expect(error).toContain("at most 60,000 tokens");
    expect(error, "what it took is told at the end").toMatch(/\n[\d.]+k? tokens, free\n$/);
  }
  await using app = await builder.open();
  const { tasks } = await listTasks(app.store, { limit: 10 });
  expect(tasks).toHaveLength(3);
  for (const { tokens } of tasks) expect(tokens).toBeLessThanOrEqual(60_000);
  await expect(lastTask(app.store, builder.directory), "no work to go back to").rejects.toThrow("there is no task yet");
  expect((await miracle("history")).output).toMatch(/ answered .* answered .* answered /s);
  expect(readdirSync(builder.directory).sort(), "nothing was written").toEqual(["README.md", "src"]);
  const poor = await miracle("ask", "how is it started?", "--max-tokens", "500");
  expect(poor).toMatchObject({ exit: EXIT.budget, output: expect.stringContaining("stopped") });

  // Where nothing else names a model, that of the task is asked, and it is told what the task was about.
  const terminal = fakeTerminal({
    directory: builder.directory,
    home: builder.dataDirectory,
    env: { MIRACLE_HOME: builder.dataDirectory, PATH: "/usr/bin:/bin" },
  });
  const [first] = tasks.filter(({ goal }) => goal === "where are prices rounded?");
  const words = ["ask", "--task", first?.id ?? "", "how is it started?"];
  expect(await runCommandLine(words, terminal), terminal.errors()).toBe(EXIT.done);
  expect(JSON.stringify(builder.server.requests.at(-1))).toContain("The goal was: where are prices rounded?");
});
