import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { AppBuilder, call, inOrder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";

const TEST = `
import os, urllib.request

def test_the_service_answers():
    assert os.environ["TEST_API_KEY"]
    assert urllib.request.urlopen("http://localhost:8080/page.txt").read() == b"a page\\n"
`;

const services = (command: string) =>
  `services:\n  - { name: pages, command: '${command}', ready: { port: 8080 }, timeout: 20s }\n`;

const project = (command: string) => ({
  "page.txt": "a page\n",
  "test_page.py": TEST,
  ".miracle/test.env": "TEST_API_KEY=hush-hush-123\n",
  ".miracle/services.yaml": services(command),
});

const SERVE = "python3 -m http.server 8080";

test("tests and accepted commands run beside the project's services and with its variables", async () => {
  const script = inOrder([call("run_tests", {})], [call("finish", { summary: "all is well" })]);
  const builder = await AppBuilder.create(script, project(SERVE));
  const app = await builder.open();
  const accept = ['curl -sf http://localhost:8080/page.txt && test "$TEST_API_KEY" = hush-hush-123'];
  const end = await builder.start(app, {}, builder.settings({ direct: true, accept }));
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "checked" } });
  const runs = builder.events.filter((event) => event.type === "tests-run");
  expect(runs.map(({ scope, passed }) => [scope, passed])).toEqual([
    ["visible", true],
    ["accept", true],
  ]);
});

test("a service that is not ready pauses the task, and a resume goes on when it is mended", async () => {
  const script = inOrder([call("run_tests", {})], [call("finish", { summary: "all is well" })]);
  const builder = await AppBuilder.create(script, project("echo no pages today; exit 3"));
  const app = await builder.open();
  const end = await builder.start(app, {}, builder.settings({ direct: true, accept: ["true"] }));
  expect(end).toMatchObject({ ended: "failed", failure: { kind: "environment", code: "service.not-ready" } });
  expect(end).toMatchObject({ failure: { detail: "It printed:\nno pages today" } });
  expect(builder.events.filter((event) => event.type === "tests-run")).toEqual([]);
  builder.write({ ".miracle/services.yaml": services(SERVE) });
  const resumed = await app.resume(end.task, {}, { signal: new AbortController().signal });
  expect(resumed).toMatchObject({ ended: "settled", outcome: { status: "checked" } });
});

test("a mistake in services.yaml is said before a task is begun", async () => {
  const builder = await AppBuilder.create(inOrder(), { ".miracle/services.yaml": "services: 3\n" });
  const app = await builder.open();
  await expect(builder.start(app)).rejects.toThrow("services.yaml:1:11: services: expected array");
  expect(builder.server.requests).toEqual([]);
  expect(await app.store.read.selectFrom("tasks").select("id").execute()).toEqual([]);
});

test("a secret among the variables for tests reaches the tests, and no model, event, log or database", async () => {
  const leak = call("create_file", {
    path: "test_leak.py",
    content: `${TEST}\ndef test_red():\n    assert False, os.environ["TEST_API_KEY"]\n`,
  });
  const script = inOrder(
    [leak],
    [call("run_tests", {})],
    [call("read_file", { path: ".miracle/test.env" })],
    [call("finish", { summary: "done" })],
  );
  const builder = await AppBuilder.create(script, project(SERVE));
  const { directory, dataDirectory } = builder;
  const env = { MIRACLE_HOME: dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const terminal = fakeTerminal({ directory, home: dataDirectory, env });
  const exit = await runCommandLine(["run", "--direct", "--accept", "true", "leak it", "--json"], terminal);
  expect([exit, terminal.errors()]).toEqual([EXIT.done, expect.not.stringContaining("hush-hush")]);
  const asked = JSON.stringify(builder.server.requests);
  expect(asked.includes("AssertionError: [redacted]")).toBe(true);
  expect((asked + terminal.outputs()).includes("hush-hush")).toBe(false);
  expect(readFileSync(join(dataDirectory, "miracle.db")).includes("hush-hush")).toBe(false);
});
