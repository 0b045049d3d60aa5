import { WORKSPACE } from "../../sandbox/sandbox.ts";

/*
 * Tests of a command-line program and the program itself in two sandboxes. Where the tests run, a shim stands at the
 * program's place: it writes down what it was started with and waits for what came of it. The program runs elsewhere, in
 * a workspace without any test, and the two share nothing but arguments, standard streams, exit code and named files.
 */

/** Below the workspace of the tests. */
export const CALLS = ".program-calls";
export const REQUEST = ".request.json";
export const RESPONSE = ".response.json";

/** What stands at the program's place. */
export const shimFor = (program: string): string => (program.endsWith(".py") ? pythonShim(program) : nodeShim(program));

/** What runs the program: reads a request from standard input, prints the response. */
export const runnerFor = (program: string): string[] =>
  program.endsWith(".py") ? ["python3", "-B", "-c", PYTHON_RUNNER] : ["node", "--input-type=module", "-e", NODE_RUNNER];

const LIMITS = "MOST_FILES, MOST_BYTES = 200, 4000000";

const pythonShim = (program: string): string => `import base64, json, os, sys, time

${LIMITS}
PLACE = ${JSON.stringify(`${WORKSPACE}/${CALLS}`)}


def found():
    paths = []
    for word in sys.argv[1:]:
        path = os.path.abspath(word.split("=", 1)[-1])
        if os.path.isfile(path):
            paths.append(path)
        elif os.path.isdir(path) and not path.startswith(${JSON.stringify(WORKSPACE)}):
            paths.extend(os.path.join(at, name) for at, _, names in os.walk(path) for name in names)
    if not os.getcwd().startswith(${JSON.stringify(WORKSPACE)}):
        paths.extend(os.path.join(at, name) for at, _, names in os.walk(os.getcwd()) for name in names)
    files, left = {}, MOST_BYTES
    for path in list(dict.fromkeys(paths))[:MOST_FILES]:
        with open(path, "rb") as source:
            data = source.read(left + 1)
        left -= len(data)
        if left < 0:
            break
        files[path] = base64.b64encode(data).decode()
    return files


own = ("PATH", "HOME", "PWD", "OLDPWD", "SHLVL", "_")
env = {key: value for key, value in os.environ.items() if key not in own and not key.startswith(("PYTEST", "PYTHON", "MIRACLE"))}
stdin = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
request = {"program": ${JSON.stringify(program)}, "args": sys.argv[1:], "cwd": os.getcwd(), "env": env, "files": found(), "stdin": base64.b64encode(stdin).decode()}
os.makedirs(PLACE, exist_ok=True)
call = os.path.join(PLACE, "%d-%d" % (os.getpid(), time.time_ns()))
with open(call + ".new", "w") as out:
    json.dump(request, out)
os.rename(call + ".new", call + ${JSON.stringify(REQUEST)})
while not os.path.exists(call + ${JSON.stringify(RESPONSE)}):
    time.sleep(0.005)
with open(call + ${JSON.stringify(RESPONSE)}) as source:
    response = json.load(source)
for path, data in response["files"].items():
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(base64.b64decode(data))
sys.stdout.buffer.write(base64.b64decode(response["stdout"]))
sys.stdout.flush()
sys.stderr.buffer.write(base64.b64decode(response["stderr"]))
sys.stderr.flush()
os._exit(response["exitCode"])
`;

const PYTHON_RUNNER = `
import base64, json, os, subprocess, sys
${LIMITS}
request = json.loads(sys.stdin.buffer.read())
for path, data in request["files"].items():
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(base64.b64decode(data))
cwd = request["cwd"]
os.makedirs(cwd, exist_ok=True)
done = subprocess.run([sys.executable, "-B", "${WORKSPACE}/" + request["program"], *request["args"]], input=base64.b64decode(request["stdin"]),
                      capture_output=True, cwd=cwd, env={**os.environ, **request["env"]})
paths = [*request["files"], *(os.path.join(cwd, word.split("=", 1)[-1]) for word in request["args"])]
if not cwd.startswith("${WORKSPACE}"):
    paths.extend(os.path.join(at, name) for at, _, names in os.walk(cwd) for name in names)
files, left = {}, MOST_BYTES
for path in list(dict.fromkeys(map(os.path.abspath, paths)))[:MOST_FILES]:
    if not os.path.isfile(path):
        continue
    with open(path, "rb") as source:
        data = source.read(left + 1)
    left -= len(data)
    if left < 0:
        break
    text = base64.b64encode(data).decode()
    if request["files"].get(path) != text:
        files[path] = text
code = done.returncode if done.returncode >= 0 else 128 - done.returncode
encode = lambda data: base64.b64encode(data).decode()
print(json.dumps({"exitCode": code, "stdout": encode(done.stdout), "stderr": encode(done.stderr), "files": files}))
`;

const nodeShim = (program: string): string => `(async () => {
const fs = await import("node:fs");
const path = await import("node:path");
const place = ${JSON.stringify(`${WORKSPACE}/${CALLS}`)};
const inside = (name) => name.startsWith(${JSON.stringify(WORKSPACE)});
const below = (name) => fs.readdirSync(name, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
const args = process.argv.slice(2);
const paths = args.flatMap((word) => {
  const name = path.resolve(word.slice(word.indexOf("=") + 1));
  if (!fs.existsSync(name)) return [];
  return fs.statSync(name).isFile() ? [name] : inside(name) ? [] : below(name);
});
if (!inside(process.cwd())) paths.push(...below(process.cwd()));
const files = {};
let left = 4000000;
for (const name of [...new Set(paths)].slice(0, 200)) {
  const data = fs.readFileSync(name);
  left -= data.length;
  if (left < 0) break;
  files[name] = data.toString("base64");
}
const own = /^(PATH|HOME|PWD|OLDPWD|SHLVL|_|NODE_.*|MIRACLE.*)$/;
const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !own.test(key)));
let stdin = Buffer.alloc(0);
if (!process.stdin.isTTY) {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  stdin = Buffer.concat(chunks);
}
fs.mkdirSync(place, { recursive: true });
const call = path.join(place, process.pid + "-" + process.hrtime.bigint());
const request = { program: ${JSON.stringify(program)}, args, cwd: process.cwd(), env, files, stdin: stdin.toString("base64") };
fs.writeFileSync(call + ".new", JSON.stringify(request));
fs.renameSync(call + ".new", call + ${JSON.stringify(REQUEST)});
while (!fs.existsSync(call + ${JSON.stringify(RESPONSE)})) await new Promise((resolve) => setTimeout(resolve, 5));
const response = JSON.parse(fs.readFileSync(call + ${JSON.stringify(RESPONSE)}, "utf8"));
for (const [name, data] of Object.entries(response.files)) {
  fs.mkdirSync(path.dirname(name), { recursive: true });
  fs.writeFileSync(name, Buffer.from(data, "base64"));
}
fs.writeSync(1, Buffer.from(response.stdout, "base64"));
fs.writeSync(2, Buffer.from(response.stderr, "base64"));
process.exit(response.exitCode);
})();
`;

const NODE_RUNNER = `
import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
const request = JSON.parse(fs.readFileSync(0, "utf8"));
const decode = (data) => Buffer.from(data, "base64");
for (const [name, data] of Object.entries(request.files)) {
  fs.mkdirSync(path.dirname(name), { recursive: true });
  fs.writeFileSync(name, decode(data));
}
fs.mkdirSync(request.cwd, { recursive: true });
const done = spawnSync(process.execPath, ["${WORKSPACE}/" + request.program, ...request.args], { input: decode(request.stdin), cwd: request.cwd, env: { ...process.env, ...request.env }, maxBuffer: 4000000 });
const paths = [...Object.keys(request.files), ...request.args.map((word) => path.resolve(request.cwd, word.slice(word.indexOf("=") + 1)))];
if (!request.cwd.startsWith("${WORKSPACE}")) {
  for (const one of fs.readdirSync(request.cwd, { recursive: true, withFileTypes: true })) if (one.isFile()) paths.push(path.join(one.parentPath, one.name));
}
const files = {};
let left = 4000000;
for (const name of [...new Set(paths)].slice(0, 200)) {
  if (!fs.existsSync(name) || !fs.statSync(name).isFile()) continue;
  const data = fs.readFileSync(name);
  left -= data.length;
  if (left < 0) break;
  const text = data.toString("base64");
  if (request.files[name] !== text) files[name] = text;
}
const encode = (data) => Buffer.from(data ?? "").toString("base64");
console.log(JSON.stringify({ exitCode: done.status ?? 137, stdout: encode(done.stdout), stderr: encode(done.stderr), files }));
`;
