import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { addGoal, byRole, call } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";
import { ServedApi } from "./served-api.ts";
import { temporaryDirectory } from "./temporary.ts";

/** A generator of clients and what it needs, written by others. They are no dependency: they are installed for this test. */
const GENERATOR = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"];
const PLACE = join(import.meta.dirname, "..", "node_modules", ".cache", "foreign-client");

/** What somebody writes against the generated types. A name or a type that the API does not have is an error of tsc. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths } from "./schema";

const [origin = "", token = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: origin, headers: { authorization: "Bearer " + token } });

function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

async function main() {
  const goal = "a calc module: write calc.add, which adds two numbers";
  const { id } = got(await client.POST("/planner/plan", { body: { goal } }));
  const status = async () =>
    got(await client.GET("/orchestrator/status/{workflow_id}", { params: { path: { workflow_id: id } } }));
  const until = async (wanted: string) => {
    for (;;) {
      const now = await status();
      if (now.status === wanted) return now;
      if (now.status === "not-proven") throw new Error(JSON.stringify(now));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const asked = await until("waiting");
  console.log("asked: " + asked.approvals.map(({ question }) => question).join());
  const handed = got(
    await client.POST("/orchestrator/task/{task_id}/result", {
      params: { path: { task_id: id } },
      body: { result: "it adds two numbers" },
    }),
  );
  console.log("result: " + handed.taken);
  await until("paused");
  const { todos } = got(await client.GET("/planner/todo_list/{id}", { params: { path: { id } } }));
  console.log("planned: " + todos.map(({ title }) => title).join());
  got(await client.POST("/orchestrator/execute", { body: { todo_list_id: id } }));
  const waiting = await until("waiting");
  console.log("to approve: " + waiting.approvals.map(({ subject }) => subject).join());
  const path = { workflow_id: id };
  got(await client.POST("/orchestrator/approve/{workflow_id}", { params: { path }, body: { reason: "good" } }));
  const ended = await until("proven");
  console.log("ended: " + ended.todos.map((todo) => todo.status).join());
  const refused = await client.GET("/tasks/{id}", { params: { path: { id: "nothing" } } });
  console.log("refused: " + refused.response.status);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
`;

test("a client that a foreign generator made from /openapi.json plans, executes, approves and hands in a result", async ({
  skip,
}) => {
  const problem = install();
  if (problem !== null) return skip(problem);
  const planned = Object(addGoal.planner[0]?.arguments);
  const terminal = await ScriptedTerminal.open(
    byRole({
      ...addGoal,
      planner: [call("finish", { ...planned, vague: "nobody says what calc is to do" }), call("finish", planned)],
      reprompter: [
        call("finish", { goal: "calc", questions: [{ question: "What is it to do?", assumption: "everything" }] }),
        call("finish", { goal: "R1: calc.add adds two numbers" }),
      ],
    }),
  );
  terminal.configure("confirm: [diff]\n");
  const api = await ServedApi.start(terminal);
  const place = temporaryDirectory();
  symlinkSync(join(PLACE, "node_modules"), join(place, "node_modules"));
  writeFileSync(join(place, "openapi.json"), JSON.stringify((await api.get("/openapi.json")).body));
  writeFileSync(join(place, "drive.ts"), PROGRAM);
  const use = (name: string, ...args: string[]) => {
    const program = join(PLACE, "node_modules", name);
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: place,
      encoding: "utf8",
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
  };
  use("openapi-typescript/bin/cli.js", "openapi.json", "-o", "schema.ts");
  const strict = ["--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--types", "node"];
  const types = join(import.meta.dirname, "..", "node_modules", "@types");
  use("typescript/bin/tsc", ...strict, "--typeRoots", types, "drive.ts");
  const drive = await promisify(execFile)(process.execPath, [join(place, "drive.js"), api.origin, api.token]);
  expect(drive.stdout).toBe(
    [
      "asked: What is it to do?",
      "result: answer",
      "planned: write calc.add",
      "to approve: diff",
      "ended: done",
      "refused: 422",
      "",
    ].join("\n"),
  );
}, 300_000);

/** Null: it is there. */
function install(): string | null {
  if (existsSync(PLACE)) return null;
  const making = `${PLACE}-${process.pid}`;
  mkdirSync(making, { recursive: true });
  try {
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", making, ...GENERATOR];
    execFileSync("npm", args, { stdio: "pipe", timeout: 100_000 });
    renameSync(making, PLACE);
    return null;
  } catch (error) {
    return `the generator cannot be installed: ${String(error).split("\n")[0]}`;
  }
}
