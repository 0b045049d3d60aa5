import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import { nodeItself } from "../../languages/javascript/find-node.ts";
import { droppedIdentity } from "../../sandbox/identity.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { shimFor } from "./program-shim.ts";
import { servePrograms } from "./serve-programs.ts";

const LIMITS: SandboxLimits = {
  cpus: 2,
  memoryMb: 1024,
  pids: 100,
  diskMb: 64,
  timeoutMs: 30_000,
  outputBytes: 20_000,
};
const toolchain = { ...nodeItself({ execPath: process.execPath, version: process.version }), env: {} };
const sandbox = openSandbox({ backend: "bubblewrap" });
const { signal } = new AbortController();
afterAll(() => sandbox[Symbol.asyncDispose]());

function directory(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "miracle-isolated-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const owner = droppedIdentity();
  if (owner) chownSync(root, owner.uid, owner.gid);
  return root;
}

/** A script where the tests would be; the program it starts is elsewhere. */
async function runIsolated(script: string[], scriptFiles: Record<string, string>, program: [string, string]) {
  const [path, content] = program;
  const lay = async () => ({ directory: directory({ [path]: content, "own.txt": "own" }), clear: () => {} });
  await using served = await servePrograms({ sandbox, limits: LIMITS, signal, programs: [path], toolchain, lay });
  const workspace = directory({ ...scriptFiles, [path]: shimFor(path), "secret.txt": "expected" });
  const { mounts, path: places } = toolchain;
  const command = { argv: script, workspace, mounts: [...mounts, ...served.mounts], path: places };
  return { ...(await sandbox.run(command, LIMITS, signal)), workspace };
}

const PYTHON_SERVER = `import http.server, os, sys

class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.end_headers()
        seen = str(sorted(os.listdir("."))).encode() if len(body) > 2 else b""
        self.wfile.write(seen + body[::-1])

http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
`;
const PYTHON_CLIENT = `import socket, subprocess, sys, time, urllib.request
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
server = subprocess.Popen([sys.executable, "server.py", str(port)])
for _ in range(500):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
        break
    except OSError:
        time.sleep(0.02)
large = b"ab" * 400_000
answer = urllib.request.urlopen("http://localhost:%d/" % port, data=large).read()
print(answer[-800_000:] == large[::-1], answer[:-800_000].decode())
with socket.create_connection(("127.0.0.1", port)) as raw:
    raw.sendall(b"POST / HTTP/1.0\\r\\nContent-Length: 2\\r\\n\\r\\nxy")
    raw.shutdown(socket.SHUT_WR)
    print(raw.makefile("rb").read()[-2:])
server.terminate()
print(server.wait())
`;

test("a Python test talks HTTP to a server that sees no file of the tests, and ends it", async () => {
  const { stdout, stderr } = await runIsolated(["python3", "client.py"], { "client.py": PYTHON_CLIENT }, [
    "server.py",
    PYTHON_SERVER,
  ]);
  expect(stdout, stderr).toBe("True ['own.txt', 'server.py']\nb'yx'\n-15\n");
});

test("a JavaScript test connects as soon as the server has said where it listens", async () => {
  const client = `import { spawn } from "node:child_process";
import { once } from "node:events";
const child = spawn(process.execPath, ["src/server.js"], { env: { ...process.env, GREETING: "hello" } });
const [said] = await once(child.stdout, "data");
const answer = await fetch("http://localhost:" + Number(said));
console.log(answer.status, await answer.text());
child.kill("SIGINT");
console.log(...(await once(child, "exit")));
`;
  const server = `const server = require("node:http").createServer((request, response) => response.end(process.env.GREETING + request.url));
server.listen(0, () => console.log(server.address().port));
process.on("SIGINT", () => process.exit(7));
`;
  const { stdout, stderr } = await runIsolated(["node", "client.mjs"], { "client.mjs": client }, [
    "src/server.js",
    server,
  ]);
  expect(stdout, stderr).toBe("200 hello/\n7 null\n");
});

test("a program that is talked to line by line answers in between, and reaches a server of the test", async () => {
  const client = `import http.server, subprocess, sys, threading
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"of the test")
    def log_message(self, *words):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
program = subprocess.Popen([sys.executable, "-u", "tool.py", "http://127.0.0.1:%d/" % server.server_port], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
program.stdin.write("one\\n")
program.stdin.flush()
print(program.stdout.readline().strip())
program.stdin.close()
print(program.stdout.read().strip(), program.wait())
`;
  const tool = `import sys, urllib.request
print("got " + input())
sys.stdin.read()
print(urllib.request.urlopen(sys.argv[1]).read().decode())
sys.exit(3)
`;
  const { stdout, stderr } = await runIsolated(["python3", "client.py"], { "client.py": client }, ["tool.py", tool]);
  expect(stdout, stderr).toBe("got one\nof the test 3\n");
});

test("files that were named come back, and nothing that the tests could execute", async () => {
  const client = `import os, subprocess, sys
os.makedirs("/tmp/place")
open("/tmp/place/in.txt", "w").write("in")
print(subprocess.run([sys.executable, "tool.py", "/tmp/place/in.txt", "out.txt", "conftest.py"], capture_output=True, text=True).returncode)
print(open("out.txt").read(), os.path.exists("conftest.py"), os.path.exists("/tmp/other.txt"))
`;
  const tool = `import sys
text = open(sys.argv[1]).read()
for name in [*sys.argv[2:], "/tmp/other.txt"]:
    open(name, "w").write(text + "!")
`;
  const { stdout, stderr, workspace } = await runIsolated(["python3", "client.py"], { "client.py": client }, [
    "tool.py",
    tool,
  ]);
  expect(stdout, stderr).toBe("0\nin! False False\n");
  expect(readFileSync(join(workspace, "out.txt"), "utf8")).toBe("in!");
});

test("a file or home that a variable names is kept from one call to the next, and taken away with the program", async () => {
  const client = `import os, subprocess, sys
os.makedirs("/tmp/place/home")
def call(*words, **variables):
    return subprocess.run([sys.executable, "tool.py", *words], env={**os.environ, **variables}, capture_output=True, text=True).stdout.strip()
print(call("a", NOTES="/tmp/place/notes.txt"), call("b", NOTES="/tmp/place/notes.txt"), open("/tmp/place/notes.txt").read())
print(call("c", HOME="/tmp/place/home"), call("d", HOME="/tmp/place/home"), os.listdir("/tmp/place/home"))
print(call("drop", NOTES="/tmp/place/notes.txt"), os.path.exists("/tmp/place/notes.txt"), os.path.exists("/tmp/notes.txt"))
`;
  const tool = `import os, sys
path = os.environ.get("NOTES") or os.path.expanduser("~/notes.txt")
if sys.argv[1] == "drop":
    os.remove(path)
else:
    open(path, "a").write(sys.argv[1])
    print(open(path).read())
`;
  const { stdout, stderr } = await runIsolated(["python3", "client.py"], { "client.py": client }, ["tool.py", tool]);
  expect(stdout, stderr).toBe("a ab ab\nc cd ['notes.txt']\n False False\n");
});
