import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { startedPrograms } from "./started-programs.ts";

const parsers = new SyntaxParsers();
const paths = new Set(["server.py", "src/tool.py", "app/__main__.py", "server.js", "src/server.mjs"]);
const base = {
  has: (path: string) => paths.has(path),
  hasDirectory: (path: string) => path === "app" || path === "src",
};
const python = (text: string) =>
  startedPrograms(parsers, base, [{ path: "tests/test_x.py", content: `import subprocess, sys\n${text}\n` }]);
const node = (text: string) =>
  startedPrograms(parsers, base, [
    { path: "test/x.test.js", content: `import { spawn } from "node:child_process";\n${text}\n` },
  ]);

test.each([
  ['import urllib.request\nsubprocess.Popen([sys.executable, "server.py", "8080"])', ["server.py"]],
  ['import socket\nsubprocess.run([sys.executable, "tool.py"])', ["src/tool.py"]],
  ['import http.client\nsubprocess.Popen([sys.executable, "-m", "app"])', ["app/__main__.py"]],
])("a Python test that starts and asks a program is isolated from it: %j", async (text, programs) => {
  expect(await python(text)).toEqual(programs);
});

test.each([
  ['const child = spawn(process.execPath, ["server.js"]);\nawait fetch("http://localhost:1");', ["server.js"]],
  ['import http from "node:http";\nspawn("node", ["./src/server.mjs"]);', ["src/server.mjs"]],
])("a JavaScript test that starts and asks a program is isolated from it: %j", async (text, programs) => {
  expect(await node(text)).toEqual(programs);
});

test.each([
  'from app import create\nsubprocess.run([sys.executable, "server.py"])',
  'import pexpect\nsubprocess.run([sys.executable, "server.py"])',
  'import socket\nsocket.AF_UNIX\nsubprocess.Popen([sys.executable, "server.py"])',
  'subprocess.Popen([sys.executable, "-m", "uvicorn", "app:app"])',
  "assert True",
])(
  "a Python test that imports the project, or needs more than streams and ports, stays beside it: %j",
  async (text) => {
    expect(await python(text)).toBeNull();
  },
);

test("a JavaScript test that imports the server stays beside it", async () => {
  expect(await node('import { app } from "../server.js";\nspawn("node", ["server.js"]);')).toBeNull();
});
