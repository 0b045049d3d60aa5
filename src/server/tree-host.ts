import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { branchRefs, snapshotRefs } from "../workspace/tree-refs.ts";
import { Refusal } from "./access/problem.ts";

/** What git asks for by HTTP, and nothing else of a repository. */
const ASKED = /^(info\/refs|git-upload-pack|git-receive-pack)$/;

/** More than the largest tree that is imported. */
const MOST_BYTES = 2e9;

/**
 * Lends the artifact store to workers by git's own program (`git http-backend`). Under the address of a task nothing but
 * its refs can be seen or changed, and none is deleted. What was taken in is on the disk when it answers.
 */
export class TreeHost {
  readonly #gitDirectory: string;
  readonly #path: string;

  constructor(gitDirectory: string, path: string) {
    this.#gitDirectory = gitDirectory;
    this.#path = path;
  }

  async answer(request: Request, task: string, asked: string, caller: string): Promise<Response> {
    if (!ASKED.test(asked)) throw new Refusal(404, "request.path", "nothing is here but what git asks for");
    const { headers } = request;
    const header = (name: string, variable: string) => {
      const value = headers.get(name);
      return value === null ? {} : { [variable]: value };
    };
    const length = Number(headers.get("content-length") ?? 0);
    if (length > MOST_BYTES) throw new Refusal(413, "request.too-large", "a pack of this size is not taken");
    const child = spawn("git", ["http-backend"], {
      cwd: this.#gitDirectory,
      stdio: ["pipe", "pipe", "ignore"],
      env: {
        PATH: this.#path,
        LC_ALL: "C",
        GIT_PROJECT_ROOT: this.#gitDirectory,
        GIT_HTTP_EXPORT_ALL: "1",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        REQUEST_METHOD: request.method,
        PATH_INFO: `/${asked}`,
        QUERY_STRING: new URL(request.url).search.slice(1),
        REMOTE_USER: caller,
        ...header("content-type", "CONTENT_TYPE"),
        ...header("content-length", "CONTENT_LENGTH"),
        ...header("content-encoding", "HTTP_CONTENT_ENCODING"),
        ...header("git-protocol", "HTTP_GIT_PROTOCOL"),
        ...configFor(task),
      },
    });
    child.on("error", () => {});
    request.signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
    const body = request.body ? Readable.fromWeb(request.body) : Readable.from([]);
    void pipeline(body, child.stdin).catch(() => void child.stdin.destroy());
    return toResponse(child.stdout);
  }
}

/** The task's own refs, all others hidden; later lines overrule earlier ones. */
function configFor(task: string): Record<string, string> {
  const lines = [
    ["transfer.hideRefs", "refs"],
    ["transfer.hideRefs", `!${snapshotRefs(task)}`],
    ["transfer.hideRefs", `!${branchRefs(task)}`],
    ["receive.denyDeletes", "true"],
    ["core.fsync", "all"],
    ["core.hooksPath", "/dev/null"],
  ];
  const pairs = lines.flatMap(([key = "", value = ""], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(lines.length) };
}

/** As a program says it that is asked by a web server (RFC 3875). */
async function toResponse(output: Readable): Promise<Response> {
  const chunks: AsyncIterator<Buffer> = output[Symbol.asyncIterator]();
  let said = Buffer.alloc(0);
  while (!said.includes(END_OF_HEAD)) {
    const { value, done } = await chunks.next();
    if (done) throw new Error(`git http-backend ended early: ${said.toString("latin1").slice(0, 200)}`);
    said = Buffer.concat([said, value]);
  }
  const end = said.indexOf(END_OF_HEAD);
  const headers = new Headers();
  let status = 200;
  for (const line of said.toString("latin1", 0, end).split("\r\n")) {
    const at = line.indexOf(":");
    const [name, value] = [line.slice(0, at), line.slice(at + 1).trim()];
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else headers.append(name, value);
  }
  async function* rest() {
    yield said.subarray(end + END_OF_HEAD.length);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  return new Response(ReadableStream.from(rest()), { status, headers });
}

const END_OF_HEAD = "\r\n\r\n";
