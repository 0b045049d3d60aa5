// Starts processes: those of a sandbox.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type FakeTerminalOptions, fakeTerminal } from "../../../test/fake-terminal.ts";
import { runCommandLine } from "../command-line.ts";
import { EXIT } from "../text/exit-codes.ts";

let root: string;
let project: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "miracle-sandbox-command-"));
  project = join(root, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, "a.txt"), "a file\n");
  writeFileSync(join(project, ".env"), "SECRET=hush-hush-123\n");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

async function miracle(words: string[], options: FakeTerminalOptions = {}) {
  const env = { MIRACLE_HOME: join(root, "data"), PATH: "/usr/bin:/bin" };
  const terminal = fakeTerminal({ directory: project, home: join(root, "home"), env, ...options });
  const exit = await runCommandLine(["sandbox", ...words], terminal);
  return { exit, output: terminal.outputs(), error: terminal.errors() };
}

const shell = (line: string, ...flags: string[]) => miracle([...flags, "--", "bash", "-c", line]);

describe("miracle sandbox", () => {
  test("hands on input, output, errors and the exit code", async () => {
    const ended = await miracle(["--", "bash", "-c", "cat; echo oops >&2; exit 7"], { input: "given" });
    expect(ended).toEqual({ exit: 7, output: "given", error: "oops\n" });
  });

  test("an install reaches its registry through the mirror, without scripts; other commands have no network", async () => {
    const { output } = await shell("true || pip install requests; env");
    expect(output).toContain("PIP_INDEX_URL=http://pypi.org/simple/\n");
    expect(output).toContain("npm_config_ignore_scripts=true\n");
    expect((await shell("env")).output).not.toMatch(/https?_proxy|PIP_/i);
  });

  test("an install of what is on no list is not run unless somebody says so", async () => {
    const line = ["--", "bash", "-c", "true || pip install zzz-unheard-of; echo ran $PIP_INDEX_URL"];
    const refused = await miracle(line);
    expect(refused).toMatchObject({ exit: EXIT.refused, output: "" });
    expect(refused.error).toMatch(/zzz-unheard-of.* not on the list .*--yes installs all the same/);
    expect((await miracle(["--yes", ...line])).output).toBe("ran http://pypi.org/simple/\n");
  });

  test("gives the signal that ended the command as a shell does", async () => {
    expect((await shell("kill -TERM $$")).exit).toBe(143);
  });

  test("shows the directory as the agent sees it: no secrets, no .git, nothing of the host", async () => {
    const { output } = await shell("pwd; ls -A; env; cat /etc/shadow 2>/dev/null; ls /root /home 2>/dev/null");
    expect(output).toMatch(/^\/workspace\na\.txt\n/);
    expect(output).not.toMatch(/hush|MIRACLE|\.git/);
  });

  test("writes what the command changed into the directory, as its owner", async () => {
    await shell("echo changed > a.txt; mkdir new; echo more > new/b.txt");
    expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("changed\n");
    expect(readFileSync(join(project, "new/b.txt"), "utf8")).toBe("more\n");
    expect(statSync(join(project, "new/b.txt")).uid).toBe(process.getuid?.());
    expect(readFileSync(join(project, ".env"), "utf8")).toContain("hush");
  });

  test("throws it away when asked to", async () => {
    await shell("echo changed > a.txt; rm -rf .env", "--discard");
    expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("a file\n");
  });

  test.each([
    ["time", "sleep 60", ["--timeout", "500ms"], "it took longer than 0.5 s (--timeout)"],
    ["disk", "dd if=/dev/zero of=big bs=1M count=20 2>&1", ["--disk", "5m"], "it wrote more than 5 MB (--disk)"],
  ])("says which limit stopped the command: %s", async (_name, line, flags, message) => {
    expect(await shell(line, ...flags)).toMatchObject({
      exit: EXIT.stopped,
      error: expect.stringContaining(`miracle: the command was stopped: ${message}`),
    });
  });

  test("keeps what was written before a limit stopped the command", async () => {
    await shell("echo so far > a.txt; sleep 60", "--timeout", "1s");
    expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("so far\n");
  });

  test("is stopped by Ctrl-C, and keeps what was written until then", async () => {
    const terminal = fakeTerminal({
      directory: project,
      env: { MIRACLE_HOME: join(root, "data"), PATH: "/usr/bin:/bin" },
    });
    const { write } = terminal.output;
    terminal.output.write = (text) => {
      process.emit("SIGINT");
      return write(text);
    };
    const line = "echo so far > a.txt; echo started; sleep 60";
    expect(await runCommandLine(["sandbox", "--", "bash", "-c", line], terminal)).toBe(EXIT.interrupted);
    expect(terminal.errors()).toBe("miracle: stopped\n");
    expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("so far\n");
  });

  test("passes variables, and nothing else", async () => {
    const { output } = await shell('echo "$A|$B|$HOME"', "--env", "A=1=2", "--env", "B=");
    expect(output).toBe("1=2||/tmp\n");
  });

  test("tells of every host that is refused", async () => {
    const { error } = await shell(
      "curl -s http://other.test/ >/dev/null",
      "--network",
      "example.org, *.example.net:8080",
    );
    expect(error).toBe("miracle: network to other.test:80 refused: not on the list of allowed hosts\n");
  });

  test("starts the project's services where asked to, with the variables of its tests", async () => {
    mkdirSync(join(project, ".miracle"));
    writeFileSync(join(project, ".miracle/test.env"), "GREETING=good-day\n");
    const service =
      "{ name: note, command: 'echo $GREETING > /tmp/note; sleep 60', ready: { command: test -s /tmp/note } }";
    writeFileSync(join(project, ".miracle/services.yaml"), `services:\n  - ${service}\n`);
    expect((await shell("cat /tmp/note; ls .miracle", "--services")).output).toBe("good-day\nservices.yaml\n");
    expect((await shell("cat /tmp/note", "--discard")).exit).toBe(1);
  });

  test("says so when a service does not come up, and does not start the command", async () => {
    mkdirSync(join(project, ".miracle"));
    const service = "{ name: db, command: 'echo no such database; exit 3', ready: { port: 5432 } }";
    writeFileSync(join(project, ".miracle/services.yaml"), `services:\n  - ${service}\n`);
    const { exit, error } = await shell("touch started", "--services");
    expect(exit).toBe(EXIT.environment);
    expect(error).toMatch(/the service db .*not ready: it ended with exit code 3[\s\S]*It printed:\nno such database/);
    expect(existsSync(join(project, "started"))).toBe(false);
  });

  test.each([
    ["the root", ["--workspace", "/", "--", "true"], "/ is too wide to work in"],
    ["a home", ["--workspace", "../home", "--", "true"], "your home directory is too wide to work in"],
    ["no directory", ["--workspace", "nowhere", "--", "true"], "there is no such directory"],
    ["no command", [], "missing required argument"],
    ["a size without a unit", ["--memory", "12", "--", "true"], "expected a size like 512m or 1g"],
    ["a variable without a value", ["--env", "A", "--", "true"], "expected NAME=value"],
    ["a host that is none", ["--network", "https://example.org/", "--", "true"], "is no host to allow"],
    ["a backend that is none", ["--backend", "magic", "--", "true"], "expected one of"],
  ])("refuses %s", async (_name, words, message) => {
    mkdirSync(join(root, "home"), { recursive: true });
    expect(await miracle(words)).toMatchObject({ exit: EXIT.badInput, error: expect.stringContaining(message) });
  });

  test("leaves nothing behind", async () => {
    const temporary = join(root, "temporary");
    mkdirSync(temporary);
    vi.stubEnv("TMPDIR", temporary);
    await shell("true", "--network", "example.org");
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(join(root, "data")).filter((name) => name !== "checkouts")).toEqual([]);
  });
});
