import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { startModelServer } from "./model-server.ts";
import { answersByRequest } from "./scripted-answers.ts";

const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

async function ask(baseUrl: string, messages: object[], stream = false) {
  const body = JSON.stringify({ model: "any", messages, stream });
  const response = await fetch(`${baseUrl}/chat/completions`, { method: "POST", body });
  return { status: response.status, text: await response.text() };
}
const contentOf = (text: string) => JSON.parse(text).choices[0].message.content;

test("the answer depends on the request alone, not on what was asked before", async () => {
  await using server = await startModelServer(
    answersByRequest([
      { when: "the planner", answers: [{ text: "a plan" }] },
      { when: ["the coder", "second try"], answers: [{ text: "fixed" }] },
      { when: "the coder", answers: [{ text: "one" }, { text: "two" }] },
    ]),
  );
  const coder = { role: "system", content: "You are the coder." };
  const first = [coder, user("go")];
  const second = [...first, assistant("one"), user("on")];
  for (const _ of [1, 2]) {
    expect(contentOf((await ask(server.baseUrl, second)).text)).toBe("two");
    expect(contentOf((await ask(server.baseUrl, first)).text)).toBe("one");
    expect(contentOf((await ask(server.baseUrl, [user("You are the planner.")])).text)).toBe("a plan");
    expect(contentOf((await ask(server.baseUrl, [coder, user("second try")])).text)).toBe("fixed");
  }
  expect(server.requests).toHaveLength(8);
  expect(server.repeated()).toHaveLength(4);
  expect((await ask(server.baseUrl, [...second, assistant("two")])).status).toBe(400);
});

test("a stream carries the same answer in pieces", async () => {
  await using server = await startModelServer(() => ({ text: "hello world" }));
  const { text } = await ask(server.baseUrl, [user("go")], true);
  const deltas = text.match(/"content":"[^"]*"/g)?.map((match) => JSON.parse(`{${match}}`).content);
  expect(deltas?.join("")).toBe("hello world");
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
});

test("runs as a process of its own and logs every request", async () => {
  const directory = await mkdtemp(join(tmpdir(), "miracle-server-"));
  const script = join(directory, "script.json");
  const log = join(directory, "log.jsonl");
  await writeFile(script, JSON.stringify([{ text: "one" }, { text: "two" }]));
  const child = spawn(process.execPath, [join(import.meta.dirname, "model-server-main.ts"), script, "--log", log], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`the server ended with ${code} before it said where it listens`);
    });
    const [baseUrl] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
    ended.catch(() => {});
    expect(contentOf((await ask(baseUrl, [user("go")])).text)).toBe("one");
    expect(contentOf((await ask(baseUrl, [user("go")])).text)).toBe("one");
    expect(contentOf((await ask(baseUrl, [user("go"), assistant("one")])).text)).toBe("two");
    const lines = (await readFile(log, "utf8")).trim().split("\n");
    const hashes = lines.map((line) => JSON.parse(line).hash);
    expect(hashes).toHaveLength(3);
    expect(new Set(hashes).size).toBe(2);
  } finally {
    child.kill();
    await rm(directory, { recursive: true });
  }
});
