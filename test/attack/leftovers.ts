import { connect } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { readReport } from "../../src/languages/read-report.ts";
import { type Attack, python, shell } from "./attack.ts";

const REPORT = "report";

/** What a report file that is none says to whoever reads it. */
const notRead: Attack["check"] = (_, { workspace }) => expect(readReport(join(workspace, REPORT))).toBeNull();

/** What stays in the workspace when the command is over, for the host to read and to clear away. */
export const leftovers: Attack[] = [
  {
    name: "leaves a link to a secret as its report",
    argv: shell(`echo tried; ln -s "$ATTACK_OUTSIDE/canary" ${REPORT}`),
    check: notRead,
  },
  {
    name: "leaves a link to an endless device as its report",
    argv: shell(`echo tried; ln -s /dev/zero ${REPORT}`),
    check: notRead,
  },
  {
    name: "leaves a second name of a file as its report",
    argv: shell(`echo tried; echo x > other; ln other ${REPORT}`),
    check: notRead,
  },
  {
    name: "leaves a pipe as its report",
    argv: shell(`echo tried; mkfifo ${REPORT}`),
    check: notRead,
  },
  {
    name: "leaves a socket as its report, and one that seems to listen",
    argv: python(`
tried()
for name in ["${REPORT}", "listening"]:
    end = socket.socket(socket.AF_UNIX); end.bind("/workspace/" + name); end.listen()`),
    check: async (result, field) => {
      notRead(result, field);
      await expect(answerOf(join(field.workspace, "listening"))).resolves.toBe("ECONNREFUSED");
    },
  },
  {
    name: "leaves a directory as its report",
    argv: shell(`echo tried; mkdir -p ${REPORT}/a/b; chmod 000 ${REPORT}/a`),
    check: notRead,
  },
  {
    name: "leaves a huge report without content",
    limits: { diskMb: 512 },
    argv: shell(`echo tried; truncate -s 500M ${REPORT}`),
    check: (_, { workspace }) =>
      expect(readReport(join(workspace, REPORT))?.length ?? 0).toBeLessThanOrEqual(16 * 1024 * 1024),
  },
  {
    name: "leaves a report that nobody may read",
    argv: shell(`echo tried; echo x > ${REPORT}; chmod 000 ${REPORT}`),
    check: (_, { workspace }) => expect([null, "x\n"]).toContain(readReport(join(workspace, REPORT))),
  },
  {
    name: "leaves names that are too long, or read like options and commands",
    argv: python(`
tried()
for name in ["a" * 255, "-rf", "--", "-", "...", "\\n", "a\\nb", "\\033[2J", "$(touch ESCAPED)", "\`id\`", ";reboot", "'", '"', "%s%n", " ", "\\\\", "*", "~", "con", "\\u202etxt.exe"]:
    write("/workspace/" + name)
    try: os.mkdir("/workspace/d" + name[:250]); write("/workspace/d" + name[:250] + "/" + name)
    except OSError as error: print(error)`),
  },
  {
    name: "leaves names that are no text",
    argv: python(`
tried()
for name in [b"\\xff\\xfe", b"\\x80", b"caf\\xe9", bytes(range(1, 47)), bytes(range(48, 256))]:
    os.close(os.open(b"/workspace/" + name, os.O_CREAT | os.O_WRONLY)); os.mkdir(b"/workspace/d" + name)
    os.close(os.open(b"/workspace/d" + name + b"/" + name, os.O_CREAT | os.O_WRONLY))`),
  },
  {
    name: "leaves directories deeper than any path",
    argv: python(`
tried()
os.chdir("/workspace")
for level in range(6000):
    os.mkdir("d"); os.chdir("d")
write("bottom")
os.chdir("/workspace")
for level in range(60):
    os.mkdir("n" * 250); os.chdir("n" * 250)`),
  },
  {
    name: "leaves directories that are closed even to their owner",
    argv: shell("echo tried; mkdir -p a/b/c d/e; touch a/b/c/file d/e/file; chmod 000 a/b/c a/b a d/e d; chmod 0 . "),
  },
  {
    name: "leaves links that lead out and around",
    argv: shell(
      'echo tried; ln -s "$ATTACK_OUTSIDE" out; ln -s / root; ln -s loop loop; ln -s . here; ln -s .. up; mkdir -p t; ln -s "$ATTACK_OUTSIDE/canary" t/file; ln -s /proc/self/fd fds; ln -s "$(printf "%04000d" 0)" long',
    ),
  },
  {
    name: "leaves pipes, sockets and thousands of small files",
    argv: python(`
tried()
for index in range(50): os.mkfifo("/workspace/pipe-%d" % index)
for index in range(20): socket.socket(socket.AF_UNIX).bind("/workspace/socket-%d" % index)
for index in range(2500): os.close(os.open("/workspace/f%d" % index, os.O_CREAT | os.O_WRONLY))`),
    limits: { diskMb: 64 },
  },
  {
    name: "leaves programs for a git, an editor or a shell that comes later",
    argv: shell(`echo tried
mkdir -p .git/hooks .vscode .husky; printf '#!/bin/sh\\ntouch "%s/captured"\\n' "$ATTACK_OUTSIDE" | tee .git/hooks/pre-commit .git/hooks/post-checkout .husky/pre-commit .envrc > /dev/null
chmod +x .git/hooks/* .husky/*; printf '[core]\\n\\tfsmonitor = touch %s/captured\\n\\tpager = touch %s/captured\\n' "$ATTACK_OUTSIDE" "$ATTACK_OUTSIDE" > .git/config
printf '* filter=captured\\n' > .gitattributes; git init -q . 2>/dev/null; true`),
  },
];

function answerOf(path: string): Promise<string> {
  return new Promise((resolve) => {
    const end = connect(path);
    end.once("connect", () => resolve("connected"));
    end.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
  }).then((answer) => String(answer));
}
