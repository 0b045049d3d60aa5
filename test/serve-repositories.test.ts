import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { byTurn, helloGoal } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";
import { ServedApi } from "./served-api.ts";

const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd, env, encoding: "utf8" });

/** An origin with one commit, and a server that may work on it. */
async function serving() {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  const origin = join(terminal.root, "origin.git");
  const work = join(terminal.root, "work");
  git(terminal.root, "init", "--quiet", "--bare", "--initial-branch=main", origin);
  git(terminal.root, "clone", "--quiet", origin, work);
  const commit = (name: string) => {
    terminal.write({ [name]: `${name}\n` }, work);
    git(work, "add", "--all");
    git(work, "commit", "--quiet", "--message", name);
    git(work, "push", "--quiet", "origin", "HEAD:main");
  };
  commit("first.txt");
  terminal.configure(`direct: true\nserver: { repositories: { shop: "file://${origin}" } }\n`);
  const results = () => git(origin, "for-each-ref", "--format=%(refname:short)", "refs/heads/miracle").split("\n");
  const filesOf = (branch: string) => git(origin, "ls-tree", "--name-only", branch).trim().split("\n");
  return { terminal, origin, commit, results, filesOf };
}

test("a server works on a git address of its settings: it follows the origin, and pushes results as branches", async () => {
  const { terminal, commit, results, filesOf } = await serving();
  const api = await ServedApi.start(terminal);
  expect((await api.get("/directories")).body).toEqual({ directories: ["shop"] });
  const first = String((await api.post("/tasks", { goal: "say hello" })).body.id);
  await api.reaches(first, "checked");
  await expect.poll(results).toContain(`miracle/${first}`);
  expect(filesOf(`miracle/${first}`)).toEqual(["first.txt", "hello.txt"]);
  expect(filesOf("main"), "nobody's branch is touched").toEqual(["first.txt"]);

  commit("second.txt");
  const second = String((await api.post("/tasks", { goal: "say hello", directory: "shop" })).body.id);
  await api.reaches(second, "checked");
  await expect.poll(results).toContain(`miracle/${second}`);
  expect(filesOf(`miracle/${second}`)).toEqual(["first.txt", "hello.txt", "second.txt"]);
  expect((await api.post("/tasks", { goal: "say hello", directory: "file:///etc" })).status).toBe(400);
});

test("what could not be pushed is pushed by the next start, and an origin that is gone is said", async () => {
  const { terminal, origin, results } = await serving();
  const api = await ServedApi.start(terminal);
  execFileSync("mv", [origin, `${origin}.away`]);
  const gone = await api.post("/tasks", { goal: "say hello" });
  expect(gone).toMatchObject({ status: 503, body: { code: "repository.git" } });
  execFileSync("mv", [`${origin}.away`, origin]);
  // A hook of the origin's that refuses, as one does that is busy.
  terminal.write({ "hooks/pre-receive": "#!/bin/sh\nexit 1\n" }, origin);
  execFileSync("chmod", ["+x", join(origin, "hooks", "pre-receive")]);
  const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
  await api.reaches(id, "checked");
  await api.process.prints("git push failed");
  await api.kill("SIGKILL");
  execFileSync("rm", [join(origin, "hooks", "pre-receive")]);
  await ServedApi.start(terminal, { token: api.token });
  expect(results()).toContain(`miracle/${id}`);
});
