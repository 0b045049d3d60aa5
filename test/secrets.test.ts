import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import type { ServedRequest } from "./model-server.ts";
import { addGoal, byRole, byTurn, call, helloGoal } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";

const KEY = "sk-of-the-environment-4711";
const TOKEN = "token-of-the-environment-0815";
const PASSWORD = "p4ssw0rd-of-the-database";
const STRIPE = "sk_live_0f1e2d3c4b5a69788796";
const SECRETS = [KEY, TOKEN, PASSWORD, STRIPE];

const env = { MIRACLE_API_KEY: KEY, SERVICE_TOKEN: TOKEN };
const dotenv = `DATABASE_URL=postgres://app:${PASSWORD}@db.example.org/app\nSTRIPE=${STRIPE}\n`;

/** Everywhere a process may find what it was not given. */
const search = "env; cat .env ../.env /proc/self/environ /proc/1/environ /proc/*/environ; ls -la / /root /home; true";

const leakyTest = `import os, subprocess

def test_environment():
    print(dict(os.environ))
    print(subprocess.run(["sh", "-c", ${JSON.stringify(search)}], capture_output=True, text=True).stdout)
    assert False, str(dict(os.environ))
`;

test("no key of the environment and nothing of .env is found in what is kept or exported", async () => {
  const terminal = await ScriptedTerminal.open(
    byRole({
      ...addGoal,
      coder: [
        call("read_file", { path: ".env" }),
        call("run_command", { command: `${search}; env > environment.txt; echo ${TOKEN} > echoed.txt` }),
        call("create_file", { path: "keys.py", content: `KEY = "${KEY}"\nSTRIPE = "${STRIPE}"\n` }),
        call("create_file", { path: "tests/test_leak.py", content: leakyTest }),
        call("run_tests", {}),
        call("run_command", { command: "rm tests/test_leak.py" }),
        ...addGoal.coder,
      ],
    }),
    { ".env": dotenv, "README.md": "a project\n" },
  );
  const goal = `Write a module that adds two numbers; my key is ${KEY}`;
  const leave = ["keys.py", "environment.txt", "echoed.txt"].flatMap((path) => ["--leave", path]);
  const end = await terminal.run(["run", "--effort", "quick", ...leave, goal], { env });
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()["keys.py"]).toBe('644 KEY = "[redacted]"\nSTRIPE = "[redacted]"\n');
  const shown = await Promise.all([
    terminal.run(["show", "--last", "--events", "--json"], { env }),
    terminal.run(["history"], { env }),
    terminal.run(["export", "--last"], { env }),
  ]);
  expectNoSecret("what was shown", JSON.stringify([end, ...shown]), SECRETS);
  expectNoSecret("what was kept", everythingKept(terminal), SECRETS);
  for (const { body } of terminal.server.requests) expectNoSecret("what the model read", JSON.stringify(body), SECRETS);
});

/** In every secret that this run could meet; the program that looks for it has it in two pieces. */
const MARK = "zq7m4rk3r";
const hidden = {
  environment: `env-${MARK}-0a1b2c3d`,
  dotenv: `dot-${MARK}-4e5f6071`,
  key: `ssh-${MARK}-8293a4b5`,
  cloud: `aws-${MARK}-c6d7e8f9`,
  netrc: `net-${MARK}-1029384756`,
  data: `own-${MARK}-5647382910`,
};

/** Looks wherever a process can look, and prints what it finds as it is and in other clothes. */
const prober = `import base64, codecs, glob, os, pathlib, zlib

mark = "zq7m" + "4rk3r"
places = [str(path) for path in pathlib.Path("/workspace").rglob("*")]
places += glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/self/fd/*")
for top in ("/", "/root", "/home", "/etc", "/run", "/tmp", "/var", "/mnt", "/opt", "/srv", "/dev/shm", PLACES):
    for base, inner, names in os.walk(top):
        inner[:] = [name for name in inner if os.path.normpath(os.path.join(base, name)) not in ("/usr", "/proc", "/sys", "/lib", "/nix")]
        places += [os.path.join(base, name) for name in names][:2000]
found = ["environment " + value for value in os.environ.values() if mark in value]
looked = 0
seen = set()
for place in places:
    try:
        # Many ways lead to a file: it is read once.
        state = os.stat(place)
        if os.path.isfile(place) and state.st_size < 1000000 and (state.st_dev, state.st_ino) not in seen:
            seen.add((state.st_dev, state.st_ino))
            looked += 1
            with open(place, "rb") as file:
                text = file.read().decode("latin1")
            if mark in text:
                found.append(place + " " + text)
    except OSError:
        pass
for text in found:
    raw = text.encode()
    print(text, text[::-1], raw.hex(), base64.b64encode(raw), codecs.encode(text, "rot13"), zlib.compress(raw))
print("FOUND", len(found), "LOOKED", looked > 20)
`;

test("code that looks for secrets everywhere finds none, with every rule and question waved through", async () => {
  const shell = "env; cat .env ../.env ~/.netrc ~/.ssh/id_rsa /proc/self/environ /proc/1/environ | base64; true";
  const terminal = await ScriptedTerminal.open(
    byTurn(
      call("create_file", { path: "probe.py", content: prober.replace("PLACES", '"/workspace/.."') }),
      call("run_command", { command: "python3 probe.py" }),
      call("run_command", { command: shell }),
      call("create_file", { path: "test_probe.py", content: "def test_it():\n    import probe\n    assert False\n" }),
      call("run_tests", {}),
      call("read_file", { path: ".env" }),
      call("search", { pattern: "zq7" }),
      call("run_command", { command: "rm probe.py test_probe.py" }),
      call("finish", { summary: "looked everywhere" }),
    ),
    { ".env": `TOKEN_OF_APP=${hidden.dotenv}\n`, ".aws/config": hidden.cloud, "README.md": "a project\n" },
  );
  const { home, dataDirectory } = terminal.line;
  terminal.write(
    { ".ssh/id_rsa": hidden.key, ".aws/credentials": hidden.cloud, ".netrc": `password ${hidden.netrc}\n` },
    home,
  );
  terminal.write({ "own.txt": hidden.data }, dataDirectory);
  terminal.configure("safety: { approve: [command, code, deps, network, files], findings: ask }");
  const end = await terminal.run(["run", "--direct", "--yes", "look around"], {
    env: { SOME_TOKEN: hidden.environment, PLAIN: `x${hidden.environment}` },
  });
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  const read = terminal.server.requests.map(({ body }) => JSON.stringify(body)).join("\n");
  expect(
    read.match(/FOUND \d+ LOOKED \w+/g)?.every((line) => line === "FOUND 0 LOOKED True"),
    read.slice(-3000),
  ).toBe(true);
  expect(read).toContain("FOUND 0 LOOKED True");
  const exported = await terminal.run(["export", "--last"]);
  rmSync(join(dataDirectory, "own.txt"));
  const kept = everythingKept(terminal);
  const forms = Object.values(hidden).flatMap(formsOf);
  expectNoSecret("what the model read", read, forms);
  expectNoSecret("what was shown", JSON.stringify([end, exported]), forms);
  expectNoSecret("what was kept", kept, forms);
});

/** As it is, and as a program might disguise it: the parts that are the same wherever in a text it stands. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const shifted = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  const rot13 = secret.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97));
  return [
    secret,
    [...secret].reverse().join(""),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    rot13,
    ...shifted,
  ];
}

test("a secret that stands in the project's own code is in no record of it, and in no cassette", async () => {
  const script = byTurn(
    call("read_file", { path: "settings.py" }),
    call("run_command", { command: "cat settings.py; python3 test_settings.py" }),
    call("run_tests", {}),
    call("finish", { summary: "looked" }),
  );
  const answer = (request: ServedRequest, index: number) =>
    request.system.startsWith("You find out why")
      ? { toolCalls: [call("finish", { cause: "no idea", hypothesis: "again", next: "code" })] }
      : script(request, index);
  const terminal = await ScriptedTerminal.open(answer, {
    "settings.py": `TOKEN = "${TOKEN}"\n`,
    "test_settings.py": "from settings import TOKEN\n\n\ndef test_token():\n    assert TOKEN == 'another'\n",
  });
  const accept = ["--accept", "cat settings.py && false", "--max-iterations", "2"];
  const end = await terminal.run(["run", "--direct", "look around", ...accept], { env });
  expect(end.code).toBe(EXIT.limit);
  const exported = await terminal.run(["export", "--last"], { env });
  expect(exported.stderr).toContain("settings.py");
  expectNoSecret("what was shown", JSON.stringify([end, exported]), [TOKEN]);
  expectNoSecret("the database", everythingStored(terminal), [TOKEN]);
  expectNoSecret("the logs", filesBelow(join(terminal.line.dataDirectory, "logs")), [TOKEN]);
  for (const { body } of terminal.server.requests) expectNoSecret("what the model read", JSON.stringify(body), [TOKEN]);
});

test("a server that quotes secrets in its error does not bring them into the record of the retry", async () => {
  const body = { error: { message: `overloaded, sorry ${KEY} and ${TOKEN}` } };
  const good = byTurn(...helloGoal);
  const terminal = await ScriptedTerminal.open((request, index) =>
    index === 0 ? { fault: "status", status: 503, body } : good(request, index),
  );
  terminal.configure("retry: { attempts: 2, base: 1ms, max: 1ms }");
  const end = await terminal.run(["run", "--direct", "say hello"], { env });
  expect(end).toMatchObject({ code: EXIT.done, stderr: expect.stringContaining("overloaded, sorry [key]") });
  // Of ours the server knows nothing but the key.
  expectNoSecret("what was shown", JSON.stringify(end), [KEY]);
  expectNoSecret("what was kept", everythingKept(terminal), SECRETS);
});

test("a task that is resumed from elsewhere knows its own directory's key and secrets", async () => {
  const script = byTurn(call("create_file", { path: "keys.txt", content: `${KEY} ${PASSWORD}\n` }));
  const terminal = await ScriptedTerminal.open(
    (request, index) => (request.headers.authorization ? script(request, index) : { fault: "status", status: 401 }),
    { ".env": `MIRACLE_API_KEY=${KEY}\n${dotenv}` },
  );
  const elsewhere = { cwd: terminal.root };
  await terminal.run(["run", "--direct", "--dir", "project", "--max-tokens", "1", "write it down"], elsewhere);
  const end = await terminal.run(["resume", terminal.task, "--max-tokens", "100000"], elsewhere);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()["keys.txt"]).toBe("644 [redacted] [redacted]\n");
  expectNoSecret("what was kept", everythingKept(terminal), SECRETS);
});

function expectNoSecret(place: string, text: string, secrets: string[]): void {
  for (const secret of secrets) {
    const at = text.indexOf(secret);
    expect(at === -1 ? "" : text.slice(Math.max(0, at - 80), at + 20), `${place} holds ${secret}`).toBe("");
  }
}

/** The data directory as bytes, and once more as what the database and the repository make of them. */
function everythingKept(terminal: ScriptedTerminal): string {
  const { dataDirectory } = terminal.line;
  return `${filesBelow(dataDirectory)}${everythingStored(terminal)}${objects(join(dataDirectory, "artifacts.git"))}`;
}

function filesBelow(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

/** Every value of every row: a long one is in several pages of the file. */
function everythingStored(terminal: ScriptedTerminal): string {
  using database = new DatabaseSync(terminal.line.database, { readOnly: true, timeout: 10_000 });
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  return tables
    .flatMap(({ name }) => database.prepare(`select * from "${name}"`).all())
    .flatMap((row) => Object.values(row))
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value)))
    .join("\n");
}

function objects(repository: string): string {
  const args = ["--git-dir", repository, "cat-file", "--batch-all-objects", "--batch", "--unordered"];
  return execFileSync("git", args, { encoding: "latin1", maxBuffer: 1 << 28 });
}
