import { chmodSync, chownSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { environmentsPlace } from "../src/app/housed-languages.ts";
import { strictSafety } from "../src/domain/settings/safety-settings.ts";
import { CheckoutDirectories } from "../src/workspace/checkout-directory.ts";
import { removeTree } from "../src/workspace/remove-tree.ts";
import { AppBuilder } from "./app-builder.ts";
import { type MadePackage, PackageIndex, sandboxOwner } from "./package-index.ts";
import { addGoal, byRole, byTurn, call } from "./scripted-goal.ts";

vi.setConfig({ testTimeout: 240_000 });

const TINY: MadePackage = {
  language: "python",
  name: "tiny",
  version: "2.0",
  files: { "tiny.py": "def plus(a, b):\n    return a + b\n" },
};
const finish = call("finish", { summary: "done" });
const usesTiny = "from tiny import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n";

/** Fetches the package once, so that the mirror of the application has it. From there on nobody can reach the index. */
async function fetched(builder: AppBuilder): Promise<Record<string, string[]>> {
  await using index = await PackageIndex.listen([TINY]);
  await using sandbox = index.sandbox(builder.dataDirectory);
  const workspace = join(builder.directory, "../fetching");
  mkdirSync(workspace);
  chmodSync(join(builder.directory, ".."), 0o755);
  if (sandboxOwner) chownSync(workspace, sandboxOwner.uid, sandboxOwner.gid);
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const directories = CheckoutDirectories.open(builder.dataDirectory, sandboxOwner);
  onTestFinished(() => removeTree(environmentsPlace(builder.dataDirectory, directories, sandboxOwner)));
  const { registries } = index;
  const command = {
    argv: ["python3", "-m", "pip", "download", "-q", "--only-binary=:all:", "tiny==2.0"],
    workspace,
    network: { hosts: registries.python, registries: { python: registries.python } },
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
