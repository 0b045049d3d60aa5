import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { packageRoot } from "../src/config/package-root.ts";
import { files, imports, partOf } from "./import-graph.ts";
import { byTurn, helloGoal } from "./scripted-goal.ts";
import { expectRefusal, ScriptedTerminal } from "./scripted-terminal.ts";
import { ServedApi } from "./served-api.ts";

const open = () => ScriptedTerminal.open(byTurn(...helloGoal));

test("the first start prints a token once, and only its hash is kept", async () => {
  const terminal = await open();
  const first = await ServedApi.start(terminal);
  expect(first.token).toMatch(/^mt_[\w-]{43}$/);
  expect((await first.get("/tasks")).status).toBe(200);
  await first.kill("SIGTERM");
  expect(readFileSync(terminal.line.database).includes(first.token)).toBe(false);
  const second = await ServedApi.start(terminal);
  expect(second.token).toBe("");
  expect((await second.get("/tasks", { authorization: `Bearer ${first.token}` })).status).toBe(200);
});

test("a token is added with its scopes, listed without itself, and ends when it is removed", async () => {
  const terminal = await open();
  const api = await ServedApi.start(terminal);
  const added = await terminal.run(["token", "add", "phone", "--scope", "read,approve"]);
  const token = added.stdout.trim();
  const authorization = { authorization: `Bearer ${token}` };
  expect((await api.get("/tasks", authorization)).status).toBe(200);
  expect(await api.post("/tasks", { goal: "say hello" }, authorization)).toMatchObject({
    status: 403,
    body: { code: "token.scope" },
  });
  const listed = await terminal.run(["token", "list"]);
  expect(listed.stdout).toMatch(/^first {2}admin .*\nphone {2}read,approve /);
  expect(listed.stdout).not.toContain(token);
  expectRefusal(await terminal.run(["token", "add", "phone"]), EXIT.badInput, "there is a token phone already");
  expectRefusal(await terminal.run(["token", "add", "../x"]), EXIT.badInput, "a token's name");
  expect((await terminal.run(["token", "remove", "phone"])).code).toBe(EXIT.done);
  expect((await api.get("/tasks", authorization)).status).toBe(401);
  expectRefusal(await terminal.run(["token", "remove", "phone"]), EXIT.badInput, "there is no token phone");
});

test("it works for the directories that flags or settings list, by their names, and knows no others' tasks", async () => {
  const terminal = await open();
  const elsewhere = join(terminal.root, "elsewhere");
  mkdirSync(elsewhere);
  terminal.configure(`direct: true\nserver:\n  directories:\n    shop: ${elsewhere}\n`);
  expect((await terminal.run(["run", "--quiet", "say hello"])).code).toBe(EXIT.done);
  const api = await ServedApi.start(terminal);
  expect((await api.get("/directories")).body).toEqual({ directories: ["shop"] });
  expect((await api.get("/tasks")).body).toEqual({ tasks: [], next: null });
  expect(await api.get(`/tasks/${terminal.task}`)).toMatchObject({ status: 404, body: { code: "task.unknown" } });
  const made = await api.post("/tasks", { goal: "say hello" });
  await api.reaches(String(made.body.id), "checked");
  expect(readFileSync(join(elsewhere, "hello.txt"), "utf8")).toBe("hello\n");
  expect(JSON.stringify((await api.get("/tasks")).body), "no path is told").not.toContain(terminal.root);
  await api.kill("SIGTERM");
  const both = await ServedApi.start(terminal, { token: api.token, flags: ["--dir", ".", "--dir", `a=${elsewhere}`] });
  expect((await both.get("/directories")).body).toEqual({ directories: ["project", "a"] });
  expect(await both.post("/tasks", { goal: "say hello" })).toMatchObject({
    status: 400,
    body: { code: "directory.which" },
  });
  expect((await both.get("/tasks")).body.tasks).toHaveLength(2);
});

test("what cannot be served is said in one line", async () => {
  const terminal = await open();
  const api = await ServedApi.start(terminal);
  const { port } = new URL(api.origin);
  expectRefusal(await terminal.run(["serve", "--port", port]), EXIT.environment, `127.0.0.1:${port} is taken`);
  expectRefusal(await terminal.run(["serve", "--dir", "nowhere"]), EXIT.badInput, "is no directory");
  expectRefusal(await terminal.run(["serve", "--port", "x"]), EXIT.badInput, "expected a number");
  expectRefusal(
    await terminal.run(["serve", "--host", "0.0.0.0", "--port", "0", "--no-token"]),
    EXIT.badInput,
    "without tokens only this machine",
  );
});

/** `doctor --worker` loads its part only then. */
const SERVING = [
  ...["cli/commands/serve.ts", "cli/commands/token.ts", "cli/commands/worker.ts"],
  "cli/doctor/examine-worker.ts",
];

test("nothing of the server is loaded by other commands", () => {
  const outside = imports.filter(({ from, to }) => partOf(to) === "server" && partOf(from) !== "server");
  expect(new Set(outside.map(({ from }) => from))).toEqual(new Set(SERVING));
  const source = (file: string) => readFileSync(join(packageRoot(), "src", file), "utf8");
  const usesHono = files.filter((file) => /from "@?hono/.test(source(file)));
  expect(new Set(usesHono.map(partOf))).toEqual(new Set(["server"]));
});

test("what keeps a team's queue is loaded only where one is opened", () => {
  const source = (file: string) => readFileSync(join(packageRoot(), "src", file), "utf8");
  expect(files.filter((file) => source(file).includes('from "pg-boss"'))).toEqual(["queue/boss-job-queue.ts"]);
  const users = imports.filter(({ to }) => to === "queue/boss-job-queue.ts").map(({ from }) => from);
  expect(users).toEqual(["app/choose-queue.ts"]);
  expect(source("app/choose-queue.ts")).toContain('await import("../queue/boss-job-queue.ts")');
});
