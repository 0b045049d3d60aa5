import { execFileSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { scanFiles } from "./scan-files.ts";
import { loadScanRules } from "./scan-rules.ts";
import type { ScannedFile } from "./scanned-file.ts";

const root = join(import.meta.dirname, "../../..");

/**
 * Libraries of Python's that every machine has, by name: what else is installed must not count. Those whose work it is to
 * run, trace or load code are not among them: they are to be stopped.
 */
const LIBRARIES = new Set(
  `
  abc argparse ast asyncio base64 bisect bz2 calendar cmd codecs colorsys concurrent configparser contextlib contextvars
  copy csv curses datetime dbm difflib dis email enum filecmp fileinput fnmatch fractions ftplib functools getopt getpass
  glob graphlib gzip hashlib heapq hmac html http imaplib inspect ipaddress json linecache locale logging lzma mailbox
  mimetypes netrc numbers opcode operator optparse pathlib pickle pickletools platform plistlib poplib posixpath pprint
  py_compile queue quopri random re reprlib sched secrets selectors shelve shlex shutil signal smtplib socket socketserver
  sqlite3 ssl stat statistics string stringprep struct subprocess symtable tarfile tempfile textwrap threading token
  tokenize tomllib traceback tracemalloc unittest urllib uuid warnings weakref wsgiref xml xmlrpc zipfile zoneinfo
`.match(/\w+/g),
);

/** Debian's own interpreter, which the tests are set up with, and not one that happens to stand first on PATH. */
function pythonFiles(): string[] {
  const where = "import sysconfig; print(sysconfig.get_path('stdlib'))";
  const library = execFileSync("/usr/bin/python3", ["-I", "-c", where], { encoding: "utf8" }).trim();
  return globSync("**/*.py", { cwd: library })
    .filter((file) => LIBRARIES.has(file.replace(/(\.py$|\/.*)/, "")) && !/\/(tests?\/|__main__\.py$)/.test(file))
    .map((file) => join(library, file));
}

/** Of what our lock file brings every so manieth, by path, so that nobody chooses. */
function nodeFiles(): string[] {
  const files = globSync(`${root}/node_modules/**/*.{js,mjs,cjs,ts}`);
  const fit = files.filter((file) => !file.includes("/.cache/") && isFit(file)).sort();
  const step = Math.max(1, Math.floor(fit.length / 130));
  return fit.filter((_, index) => index % step === 0).slice(0, 130);
}

const isFit = (file: string): boolean => statSync(file).size > 1000 && statSync(file).size < 60_000;

/** Files as people write them. */
function chosen(): ScannedFile[] {
  const python = pythonFiles().filter(isFit).sort();
  expect(python.length).toBeGreaterThan(150);
  return [...python, ...nodeFiles()].map((path) => ({
    path: path.replace(/^\/(usr\/)?/, ""),
    content: readFileSync(path, "utf8"),
  }));
}

test("of the files that people wrote at most two in a hundred are stopped", async () => {
  const rules = await loadScanRules(root);
  const parsers = new SyntaxParsers();
  const files = chosen();
  const stopped: string[] = [];
  for (const file of files) {
    const findings = (await scanFiles([file], rules, parsers)).filter(({ blocking }) => blocking);
    if (findings.length === 0) continue;
    const line = findings.map(({ rule, line: at, excerpt }) => `${rule} at ${at}: ${excerpt}`).join("; ");
    stopped.push(`${file.path}: ${line.slice(0, 300)}`);
  }
  const share = ((100 * stopped.length) / files.length).toFixed(1);
  console.log(`${files.length} ordinary files: ${stopped.length} stopped (${share} %)\n${stopped.join("\n")}`);
  expect(stopped.length).toBeLessThanOrEqual(files.length * 0.02);
});
