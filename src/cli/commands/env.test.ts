// Starts processes: a build runs in the sandbox.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { testSettings } from "../../../test/journal-builder.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { builtEnvironments } from "../../app/open-environments.ts";
import { recordFile } from "../../environments/environment-directories.ts";
import { runCommandLine } from "../command-line.ts";
import { EXIT } from "../text/exit-codes.ts";

const NAME = "python-0123456789abcdef";

function project(files: Record<string, string>) {
  const directory = temporaryDirectory();
  const data = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  const env = async (...words: string[]) => {
    const terminal = fakeTerminal({ directory, env: { MIRACLE_HOME: data, PATH: "/usr/bin:/bin" } });
    const exit = await runCommandLine(["env", ...words], terminal);
    return { exit, output: terminal.outputs(), error: terminal.errors() };
  };
  return { env, data };
}

/** As if it had been built. */
function built(data: string): void {
  const directories = builtEnvironments(testSettings, data);
  const draft = directories.begin(NAME);
  mkdirSync(join(draft, "files"));
  const record = {
    name: NAME,
    language: "python",
    interpreter: "python 3.11 in /usr",
    from: ["requirements.txt"],
    left: [],
    scripted: ["small"],
    locked: true,
    command: "pip install",
    packages: { tiny: "1.0" },
    builtAt: 0,
    durationMs: 2000,
  };
  writeFileSync(recordFile(draft), JSON.stringify(record));
  directories.finish(draft, NAME);
}

test("lists, shows and removes what was built", async () => {
  const { env, data } = project({});
  expect(await env("list")).toMatchObject({ exit: EXIT.done, output: "", error: "no environment was built yet\n" });
  built(data);
  expect((await env("list")).output).toMatch(/^python-0123456789abcdef {2}1 package, from requirements\.txt, used /);
  expect((await env("show", NAME)).output).toContain(
    "  tiny 1.0\n  not run: the install scripts of small\n  $ pip install\n",
  );
  expect(await env("remove", NAME)).toMatchObject({ exit: EXIT.done, output: "removed 1 environment\n" });
  expect(await env("remove", NAME)).toMatchObject({ exit: EXIT.badInput });
  expect(await env("show", "../secrets")).toMatchObject({ exit: EXIT.badInput });
});

test("says of a directory what its manifests need, and that nothing has to be built where it fits", async () => {
  const { env } = project({ "requirements.txt": "nowhere-to-be-had==1.0\n" });
  expect((await env("show")).output).toMatch(
    /^python: requirements\.txt: not built: miracle env build \(python-[0-9a-f]{16}\)\n$/,
  );
  const fitting = project({ "requirements.txt": "pytest\n" });
  expect((await fitting.env("build")).output).toBe("python: what is installed fits\n");
  expect((await project({}).env("show")).error).toContain("names packages");
});

test("a file of the project's own is followed for its language, and its mistakes are named", async () => {
  const { env } = project({ "main.py": "x = 1\n", ".miracle/environment.yaml": "commands: ['true']\n" });
  expect((await env("show")).output).toMatch(/^python: \.miracle\/environment\.yaml: not built: [^\n]+\n$/);
  const wrong = await project({ ".miracle/environment.yaml": "comands: []\n" }).env("build");
  expect(wrong).toMatchObject({ exit: EXIT.badInput });
  expect(wrong.error).toContain('.miracle/environment.yaml:1:1: unknown key comands (did you mean "commands"?)');
});

test("a package that cannot be had ends the build with its name", { timeout: 120_000 }, async () => {
  const { env } = project({ "requirements.txt": "nowhere-to-be-had==1.0\n" });
  const { exit, error } = await env("build");
  expect(exit).not.toBe(EXIT.done);
  expect(error).toContain("nowhere-to-be-had==1.0 cannot be had as a wheel");
});
