import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { EXIT } from "../../src/cli/text/exit-codes.ts";
import { type MadePackage, PackageIndex } from "../package-index.ts";
import { COLUMNS, WEB_FRAMEWORK } from "../sample-packages.ts";
import { call, roleOf, type ScriptedRoles } from "../scripted-goal.ts";
import { temporaryDirectory } from "../temporary.ts";
import { CrashRun } from "./scenario.ts";

type Turns = Pick<Required<ScriptedRoles>, "planner" | "tester" | "coder">;

interface NewDependency {
  goal: string;
  packages: MadePackage[];
  /** What only a build fetches. */
  archive: RegExp;
  question: string;
  roles: Turns;
  files: Record<string, string>;
  /** Installs and runs a clean checkout, without anything of ours. */
  use: string;
  says: string;
}

const finish = call("finish", { summary: "done" });

const ASK = `import json

from wsgiref.util import setup_testing_defaults

from api import app


def double(number):
    environ = {"PATH_INFO": f"/double/{number}"}
    setup_testing_defaults(environ)
    said = {}
    body = b"".join(app(environ, lambda status, headers: said.update(status=status)))
    return said["status"][:3], json.loads(body)
`;

const PYTHON: NewDependency = {
  goal: "A web API on the tinyweb framework: GET /double/NUMBER answers with the doubled number as JSON",
  packages: WEB_FRAMEWORK,
  archive: /tinyroutes.*\.whl$/,
  question: "add tinyweb ==1.4.0 to requirements.txt",
  roles: {
    planner: [
      call("finish", {
        size: "small",
        title: "a web API that doubles numbers",
        kind: "feature",
        language: "python",
        requirements: [
          {
            id: "R1",
            text: 'the WSGI application `app` of api.py answers GET /double/N with the JSON {"double": 2 N}',
            quote: "GET /double/NUMBER answers with the doubled number as JSON",
            example: { input: "GET /double/21", output: '{"double": 42}' },
          },
        ],
        todos: [{ id: "api", title: "write api.py" }],
      }),
    ],
    tester: [
      call("finish", {
        files: [
          {
            path: "tests/test_api.py",
            content: `${ASK}\n\ndef test_doubles():\n    assert double(21) == ("200", {"double": 42})\n`,
            todo: "api",
            covers: [{ test: "test_doubles", requirement: "R1" }],
          },
          {
            path: "tests/test_api_unseen.py",
            content: `${ASK}\n\ndef test_doubles_others():\n    assert double(-4) == ("200", {"double": -8})\n    assert double(0) == ("200", {"double": 0})\n`,
            heldOut: true,
            todo: "api",
            covers: [{ test: "test_doubles_others", requirement: "R1" }],
          },
        ],
      }),
    ],
    coder: [
      call("add_dependency", { name: "tinyweb", why: "the goal names it" }),
      call("create_file", {
        path: "api.py",
        content:
          'from tinyweb import App\n\napp = App()\n\n\n@app.get("/double/<number>")\ndef double(number):\n    return {"double": 2 * int(number)}\n',
      }),
      call("run_tests", {}),
      finish,
    ],
  },
  files: {},
  use: `python3 -m venv --without-pip .venv
python3 -m pip --python .venv/bin/python3 install -q --only-binary=:all: -r requirements.txt
.venv/bin/python3 - <<'END'
import threading, urllib.request
from wsgiref.simple_server import make_server
from api import app
server = make_server("127.0.0.1", 0, app)
threading.Thread(target=server.handle_request).start()
print(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/double/21").read().decode())
END`,
  says: '{"double": 42}\n',
};

const cli = (rows: string, printed: string) => `const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const { test } = require("node:test");

test("TITLE", () => {
  const printed = execFileSync(process.execPath, ["table.js"], { input: ${JSON.stringify(rows)}, encoding: "utf8" });
  assert.equal(printed, ${JSON.stringify(printed)});
});
`;

const NODE: NewDependency = {
  goal: "A command line tool table.js on the small-columns package: prints comma-separated lines of standard input in columns",
  packages: COLUMNS,
  archive: /small-width-1\.0\.2\.tgz$/,
  question: "add small-columns ^2.1.0 to package.json",
  roles: {
    planner: [
      call("finish", {
        size: "small",
        title: "print columns",
        kind: "feature",
        language: "javascript",
        requirements: [
          {
            id: "R1",
            text: "`node table.js` prints the comma-separated lines of standard input as columns with two spaces between",
            quote: "prints comma-separated lines of standard input in columns",
            example: { input: "a,bb\\nccc,d", output: "a    bb\\nccc  d" },
          },
        ],
        todos: [{ id: "table", title: "write table.js" }],
      }),
    ],
    tester: [
      call("finish", {
        files: [
          {
            path: "test/table.test.js",
            content: cli("a,bb\nccc,d\n", "a    bb\nccc  d\n").replace("TITLE", "prints columns"),
            todo: "table",
            covers: [{ test: "prints columns", requirement: "R1" }],
          },
          {
            path: "test/table-unseen.test.js",
            content: cli("one,2,x\nfifteen,16,y\n", "one      2   x\nfifteen  16  y\n").replace(
              "TITLE",
              "prints others",
            ),
            heldOut: true,
            todo: "table",
            covers: [{ test: "prints others", requirement: "R1" }],
          },
        ],
      }),
    ],
    coder: [
      call("add_dependency", { name: "small-columns", why: "the goal names it" }),
      call("create_file", {
        path: "table.js",
        content:
          'const { readFileSync } = require("node:fs");\nconst { columns } = require("small-columns");\n\nconst rows = readFileSync(0, "utf8").trim().split("\\n").map((line) => line.split(","));\nfor (const line of columns(rows)) console.log(line);\n',
      }),
      call("run_tests", {}),
      finish,
    ],
  },
  files: {
    "package.json": '{\n  "name": "table",\n  "version": "1.0.0",\n  "scripts": { "test": "node --test" }\n}\n',
    "package-lock.json": JSON.stringify({
      name: "table",
      version: "1.0.0",
      lockfileVersion: 3,
      requires: true,
      packages: { "": { name: "table", version: "1.0.0" } },
    }),
  },
  use: "npm ci --silent --ignore-scripts\nprintf 'a,bb\\nccc,d\\n' | node table.js",
  says: "a    bb\nccc  d\n",
};

test.each([
  ["a web API on a framework from the person's own index", PYTHON],
  ["a command line tool on a package of npm's", NODE],
])(
  "%s is asked about, allowed, killed while it is installed, resumed, proven, and runs from a clean checkout",
  async (_, { goal, packages, archive, question, roles, files, use, says }) => {
    await using index = await PackageIndex.listenAt("/team", null, packages);
    const own = {
      PIP_INDEX_URL: `http://127.0.0.1:${index.port}/team/simple/`,
      npm_config_registry: `http://127.0.0.1:${index.port}/team/`,
    };
    await using run = await CrashRun.create({
      goal,
      flags: ["--wait"],
      files,
      env: own,
      script: (request) => {
        const role = roleOf(request);
        const turn = request.messages.filter((message) => message.role === "assistant").length;
        const next = role === "planner" || role === "tester" || role === "coder" ? roles[role][turn] : undefined;
        if (!next)
          throw new Error(`nobody expects the ${role} in turn ${turn}: ${request.messages.at(-1)?.text.slice(0, 800)}`);
        return { toolCalls: [next] };
      },
    });
    const asked = await run.start();
    expect(asked.code, asked.stderr).toBe(EXIT.waiting);
    expect(run.query("select context ->> 'question' as question from approvals")).toEqual([{ question }]);
    const allowed = await run.line.run(["approve", run.task], own);
    expect(allowed.code, allowed.stderr).toBe(0);

    const reached = index.holdBack(archive);
    const killed = run.line.start(["resume", "--last", "--quiet"], { env: own });
    await Promise.race([reached, killed.end.then(({ stderr }) => expect.fail(`it never installed: ${stderr}`))]);
    killed.kill("SIGKILL");
    expect(await killed.end).toMatchObject({ signal: "SIGKILL" });
    expect((await run.line.run(["env", "list"], own)).stdout).not.toMatch(/python-|javascript-/);

    index.answerAll();
    const end = await run.line.run(["resume", "--last", "--quiet"], own);
    expect(end.code, end.stderr + end.stdout).toBe(EXIT.done);
    expect(run.tasks()).toMatchObject([{ status: "proven" }]);
    expect(run.query("select count(*) as n from approvals")).toEqual([{ n: 1 }]);

    const clean = temporaryDirectory("miracle-clean-");

    for (const [path, content] of Object.entries(run.files())) {
      mkdirSync(dirname(join(clean, path)), { recursive: true });
      writeFileSync(join(clean, path), content);
    }
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: clean, ...own };
    const { stdout } = await promisify(execFile)("bash", ["-ec", use], { cwd: clean, env });
    expect(stdout).toBe(says);

    const replayed = await run.line.run(["replay", run.task], own);
    expect(replayed.code, replayed.stderr).toBe(0);
  },
);
