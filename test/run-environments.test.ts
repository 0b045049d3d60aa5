import { chmodSync, chownSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { environmentsPlace } from "../src/app/housed-languages.ts";
import { strictSafety } from "../src/domain/settings/safety-settings.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { nodeItself } from "../src/languages/javascript/find-node.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { CheckoutDirectories } from "../src/workspace/checkout-directory.ts";
import { removeTree } from "../src/workspace/remove-tree.ts";
import { answeringPerson } from "./answering-person.ts";
import { AppBuilder } from "./app-builder.ts";
import { indexSandbox, type MadePackage, PackageIndex, sandboxOwner } from "./package-index.ts";
import { addGoal, byRole, byTurn, call } from "./scripted-goal.ts";

vi.setConfig({ testTimeout: 240_000 });

const TINY: MadePackage = {
  language: "python",
  name: "tiny",
  version: "2.0",
  licence: "MIT",
  released: "2024-05-01T12:00:00Z",
  files: { "tiny.py": "def plus(a, b):\n    return a + b\n" },
};
const finish = call("finish", { summary: "done" });
const usesTiny = "from tiny import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n";

const SMALL: MadePackage = {
  language: "javascript",
  name: "small",
  version: "1.0.0",
  licence: "ISC",
  released: "2024-05-01T12:00:00.000Z",
  files: { "index.js": "exports.plus = (a, b) => a + b;\n" },
};

/** Fetches the packages once, so that the mirror of the application has them. From there on nobody reaches the index. */
async function fetched(builder: AppBuilder): Promise<Record<string, string[]>> {
  await using index = await PackageIndex.listen([TINY, SMALL]);
  await using sandbox = indexSandbox(builder.dataDirectory);
  const workspace = join(builder.directory, "../fetching");
  mkdirSync(workspace);
  chmodSync(join(builder.directory, ".."), 0o755);
  if (sandboxOwner) chownSync(workspace, sandboxOwner.uid, sandboxOwner.gid);
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const directories = CheckoutDirectories.open(builder.dataDirectory, sandboxOwner);
  onTestFinished(() => removeTree(environmentsPlace(builder.dataDirectory, directories, sandboxOwner)));
  const { registries } = index;
  const command = {
    argv: [
      "bash",
      "-ec",
      "python3 -m pip download -q --only-binary=:all: tiny==2.0; npm install --silent --prefix /tmp small@1.0.0; npm view small > view.txt",
    ],
    workspace,
    mounts: nodeItself(process).mounts,
    path: nodeItself(process).path,
    network: { hosts: Object.values(registries).flat(), registries },
  };
  const limits = { cpus: 2, memoryMb: 1024, pids: 128, diskMb: 256, timeoutMs: 60_000, outputBytes: 20_000 };
  expect(await sandbox.run(command, limits, new AbortController().signal)).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(workspace, "tiny-2.0-py3-none-any.whl"))).toBe(true);
  return registries;
}

test("a package that the coder names in the manifest is there for its tests, the gate and the proof", async () => {
  const builder = await AppBuilder.create(
    byRole({
      ...addGoal,
      coder: [
        call("create_file", { path: "calc.py", content: usesTiny }),
        call("create_file", { path: "requirements.txt", content: "tiny==2.0\n" }),
        call("run_tests", {}),
        finish,
      ],
    }),
  );
  const registries = await fetched(builder);
  const app = await builder.open();
  const safety = { ...strictSafety, approve: ["deps" as const], registries };
  const goal = "Write a module that adds two numbers";
  const end = await builder.start(app, { goal }, builder.settings({ safety }));
  expect(end, JSON.stringify(end)).toMatchObject({ outcome: { status: "proven" } });
  expect(builder.files()).toMatchObject({ "calc.py": usesTiny, "requirements.txt": "tiny==2.0\n" });
});

test("what works only because the coder installed it by hand does not pass the gate", async () => {
  const builder = await AppBuilder.create(
    byTurn(
      call("create_file", { path: "calc.py", content: usesTiny }),
      call("run_command", {
        command:
          "python3 -m pip install -q --target lib tiny==2.0; PYTHONPATH=lib python3 -c 'import calc; print(calc.add(2, 3))'; rm -r lib",
      }),
      finish,
    ),
  );
  const registries = await fetched(builder);
  const app = await builder.open();
  const settings = builder.settings({ direct: true, safety: { ...strictSafety, approve: ["deps"], registries } });
  const end = await builder.start(app, {}, { ...settings, accept: ["python3 -c 'import calc'"] });
  const said = builder.server.requests.flatMap(({ messages }) => messages.flatMap((message) => message.text));
  expect(said.join("\n")).toContain("5\n");
  expect(end).not.toMatchObject({ outcome: { status: "checked" } });
});

test("the coder is told which package could not be had", async () => {
  const builder = await AppBuilder.create(
    byTurn(
      call("create_file", { path: "requirements.txt", content: "tiny==3.0\n" }),
      call("run_command", { command: "python3 -c 'import tiny'" }),
      finish,
    ),
    { "calc.py": "x = 1\n" },
  );
  const registries = await fetched(builder);
  const app = await builder.open();
  const settings = builder.settings({ direct: true, safety: { ...strictSafety, approve: ["deps"], registries } });
  await builder.start(app, {}, settings);
  const said = builder.server.requests.flatMap(({ messages }) => messages.flatMap((message) => message.text));
  expect(said.join("\n")).toMatch(/No module named 'tiny'[\s\S]*tiny==3\.0 cannot be had as a wheel/);
});

test("npm install changes manifest and lockfile, and the gate installs from them", async () => {
  const builder = await AppBuilder.create(
    byTurn(
      call("run_command", { command: "npm install small@1.0.0" }),
      call("create_file", { path: "calc.js", content: "exports.add = require('small').plus;\n" }),
      call("run_command", { command: "node -p \"require('./calc.js').add(20, 22)\"" }),
      finish,
    ),
    { "package.json": '{"name":"own","version":"1.0.0","scripts":{"test":"node --test"}}\n', "main.js": "" },
  );
  const registries = await fetched(builder);
  const app = await builder.open();
  const settings = builder.settings({ direct: true, safety: { ...strictSafety, approve: ["deps"], registries } });
  const accept = ["test $(node -p \"require('./calc.js').add(2, 3)\") = 5"];
  const end = await builder.start(app, {}, { ...settings, accept });
  const said = builder.server.requests
    .flatMap(({ messages }) => messages.flatMap((message) => message.text))
    .join("\n");
  expect(end, said).toMatchObject({ outcome: { status: "checked" } });
  expect(said).toContain("42");
  expect(Object.keys(builder.files())).toEqual(["calc.js", "main.js", "package-lock.json", "package.json"]);
});

/** What the model was told, all of it. */
const told = (builder: AppBuilder) =>
  builder.server.requests.flatMap(({ messages }) => messages.flatMap((message) => message.text)).join("\n");

test("a dependency that the coder asks for is put to a person with what the index says, and the result is proven", async () => {
  const { asked, ask } = answeringPerson(true);
  const builder = await AppBuilder.create(
    byRole({
      ...addGoal,
      coder: [
        call("add_dependency", { name: "tiny", why: "it adds numbers" }),
        call("create_file", { path: "calc.py", content: usesTiny }),
        call("run_tests", {}),
        finish,
      ],
    }),
  );
  const registries = await fetched(builder);
  const app = await builder.open();
  const goal = "Write a module that adds two numbers";
  const end = await builder.start(app, { goal }, builder.settings({ safety: { ...strictSafety, registries } }), {
    ask,
  });
  expect(end, JSON.stringify(end)).toMatchObject({ outcome: { status: "proven" } });
  expect(builder.files()).toMatchObject({ "calc.py": usesTiny, "requirements.txt": "tiny==2.0\n" });
  expect(told(builder)).toContain("added tiny 2.0 to requirements.txt, and installed it");
  expect(asked).toMatchObject([{ subject: "deps", question: "add tiny ==2.0 to requirements.txt" }]);
  const [{ detail } = { detail: "" }] = asked;
  expect(detail).toMatch(/^requirements\.txt:1:1 dependency\.unlisted: .* not on the list of allowed dependencies/);
  expect(detail).toMatch(
    /\ntiny 2\.0 from index\.test:\d+\nlicence: MIT\nreleased: 2024-05-01 \(\d+ days ago\)\nnew: /,
  );
  expect(detail).toMatch(/\nwhy, in the coder's words: it adds numbers$/);
});

test("a dependency that is refused changes nothing, and is not asked for again", async () => {
  const { asked, ask } = answeringPerson(false, "we do without");
  const builder = await AppBuilder.create(
    byTurn(
      call("add_dependency", { name: "small", why: "it adds" }),
      call("add_dependency", { name: "small", version: "^1.0.0", why: "it really adds" }),
      call("run_command", { command: "cat package.json" }),
      call("add_dependency", { name: "smalll", why: "a slip" }),
      finish,
    ),
    { "package.json": '{"name":"own"}\n', "main.js": "" },
  );
  const registries = await fetched(builder);
  const app = await builder.open();
  const settings = builder.settings({ direct: true, safety: { ...strictSafety, registries } });
  const end = await builder.start(app, {}, { ...settings, accept: ["true"] }, { ask });
  expect(end, JSON.stringify(end)).toMatchObject({ outcome: { status: "not-proven", tree: expect.any(String) } });
  expect(asked.map(({ question }) => question)).toEqual(["add small ^1.0.0 to package.json"]);
  expect(builder.files()).toEqual({ "package.json": '{"name":"own"}\n', "main.js": "" });
  const said = told(builder);
  expect(said).toMatch(/not allowed \(a person\): add small \^1\.0\.0 to package\.json: we do without\n/);
  expect(said).toMatch(/not allowed \(a person\): small \^1\.0\.0 in package\.json: we do without/);
  expect(said).toMatch(/smalll was not added: packages\.test:\d+ cannot be reached/);
});

test("a package of npm's that settings allow is added without a question, with its lockfile", async () => {
  const lock = { name: "own", version: "1.0.0", lockfileVersion: 3, requires: true, packages: { "": { name: "own" } } };
  const builder = await AppBuilder.create(
    byTurn(
      call("add_dependency", { name: "small", why: "it adds" }),
      call("create_file", { path: "calc.js", content: "exports.add = require('small').plus;\n" }),
      call("run_command", { command: "node -p \"require('./calc.js').add(20, 22)\"" }),
      finish,
    ),
    {
      "package.json": '{\n  "name": "own",\n  "version": "1.0.0"\n}\n',
      "package-lock.json": JSON.stringify(lock),
      "main.js": "",
    },
  );
  const registries = await fetched(builder);
  const app = await builder.open();
  const dependencies = { javascript: { small: "^1" } };
  const settings = builder.settings({ direct: true, safety: { ...strictSafety, registries, dependencies } });
  const accept = ["test $(node -p \"require('./calc.js').add(2, 3)\") = 5"];
  const end = await builder.start(app, {}, { ...settings, accept });
  expect(end, told(builder)).toMatchObject({ outcome: { status: "checked" } });
  expect(told(builder)).toContain("added small 1.0.0 to package.json and package-lock.json, and installed it");
  expect(told(builder)).toContain("42");
  expect(JSON.parse(builder.files()["package-lock.json"] ?? "")).toMatchObject({
    packages: { "": { dependencies: { small: "^1.0.0" } }, "node_modules/small": { version: "1.0.0" } },
  });
});

test("a project that begins with nothing gets its first dependency, and its commands see it", async () => {
  const builder = await AppBuilder.create(
    byTurn(
      call("create_file", { path: "calc.py", content: usesTiny }),
      call("add_dependency", { name: "tiny", version: "2.0", why: "it adds" }),
      call("run_command", { command: "python3 -c 'import calc; print(calc.add(20, 22))'" }),
      finish,
    ),
  );
  const registries = await fetched(builder);
  const app = await builder.open();
  const settings = builder.settings({ direct: true, safety: { ...strictSafety, approve: ["deps"], registries } });
  const accept = ["python3 -c 'import calc; assert calc.add(2, 3) == 5'"];
  const end = await builder.start(app, {}, { ...settings, accept });
  expect(end, told(builder)).toMatchObject({ outcome: { status: "checked" } });
  expect(told(builder)).toContain("42");
});

test("what imports a package that the delivered manifest does not name is not proven, and the reason names it", async () => {
  const builder = await AppBuilder.create(
    byRole({
      ...addGoal,
      coder: [
        call("add_dependency", { name: "tiny", why: "it adds numbers" }),
        call("create_file", { path: "calc.py", content: usesTiny }),
        call("run_tests", { goOn: true }),
        call("run_command", { command: "rm requirements.txt" }),
        finish,
      ],
      reflector: [call("finish", { cause: "it is gone", hypothesis: "give up", next: "code" })],
    }),
  );
  const registries = await fetched(builder);
  const app = await builder.open();
  const safety = { ...strictSafety, approve: ["deps" as const], registries };
  const settings = builder.settings({ safety });
  const goal = "Write a module that adds two numbers";
  const limits = { ...settings.limits, maxIterations: 1 };
  const end = await builder.start(app, { goal }, { ...settings, limits });
  expect(told(builder)).toContain("2 passed");
  expect(end).toMatchObject({
    outcome: { status: "not-proven", failure: { message: expect.stringContaining("No module named 'tiny'") } },
  });
});

test("a file of the coder's that describes the environment has no say in it", async () => {
  const file = ".miracle/environment.yaml";
  const builder = await AppBuilder.create(
    byTurn(
      call("run_command", { command: "echo mode is $MODE" }),
      call("create_file", {
        path: file,
        content: "commands: [touch .venv/made]\nvariables: { MODE: other }\n",
        overwrite: true,
      }),
      call("run_command", { command: "echo mode is still $MODE; ls .venv/made" }),
      finish,
    ),
    { "calc.py": "x = 1\n", [file]: "variables: { MODE: ours }\n" },
  );
  const app = await builder.open();
  await builder.start(app, {}, builder.settings({ direct: true, safety: { ...strictSafety } }));
  expect(told(builder)).toContain("mode is ours");
  expect(told(builder)).toMatch(/mode is still ours\n[\s\S]*No such file/);
});

test("a task waits with its question, is answered later, goes on with the package in pyproject.toml, and replays", async () => {
  const pyproject =
    '[project]\nname = "own"\nversion = "1"\ndependencies = []\n\n[tool.pytest.ini_options]\naddopts = "-q"\n';
  const builder = await AppBuilder.create(
    byRole({
      ...addGoal,
      coder: [
        call("add_dependency", { name: "tiny", why: "it adds numbers" }),
        call("create_file", { path: "calc.py", content: usesTiny }),
        finish,
      ],
    }),
    { "pyproject.toml": pyproject },
  );
  const registries = await fetched(builder);
  const app = await builder.open();
  const goal = "Write a module that adds two numbers";
  const safety = { ...strictSafety, unanswered: "wait" as const, registries };
  const waiting = await builder.start(app, { goal }, builder.settings({ safety }));
  expect(waiting).toMatchObject({ ended: "stopped", reason: "waiting" });
  const ask = async () => ({ granted: true, by: "a person", reason: "" });
  const end = await app.resume(waiting.task, {}, { signal: new AbortController().signal, ask });
  expect(end, JSON.stringify(end)).toMatchObject({ outcome: { status: "proven" } });
  expect(builder.files()["pyproject.toml"]).toBe(pyproject.replace("[]", '["tiny>=2.0"]'));
  expect(await replayTask(await app.recording(end.task), openLanguages())).toMatchObject({ ended: "same" });
});
