// Makes docs/prove.svg, the picture of the README: a terminal in which `miracle prove` really runs, twice. With --check
// nothing is written: exit code 1 when the picture shows anything else than what is printed today.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { draw, textOf } from "./draw-terminal.mjs";
import { screenOf } from "./screen.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = join(root, "docs", "prove.svg");
const COLUMNS = 100;

const place = mkdtempSync(join(tmpdir(), "miracle-picture-"));
try {
  const lines = record();
  if (process.argv.includes("--check")) check(textOf(readFileSync(file, "utf8")), lines.map(wordsOf));
  else writeFileSync(file, draw(lines, COLUMNS));
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** A discount that is to begin at 50: first with a test that leaves the limit open, then with one that does not. */
function record() {
  const project = join(place, "shop");
  const write = (limit, tests) => {
    const code = `def discount(amount):\n    if amount > ${limit}:\n        return amount * 0.9\n    return amount\n`;
    writeFileSync(join(project, "prices.py"), code);
    const text = tests.map(
      ([name, amount, due]) => `\n\ndef test_${name}():\n    assert discount(${amount}) == ${due}\n`,
    );
    writeFileSync(join(project, "test_prices.py"), `from prices import discount\n${text.join("")}`);
  };
  const small = ["small_amounts_stay", 50, 50];
  const more = ["sixty_is_reduced", 60, 54];
  mkdirSync(project);
  write(100, [small]);
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "A discount"],
  ])
    git(project, words);
  write(50, [small, more]);
  const first = prove(project);
  write(50, [small, more, ["fifty_one_is_reduced", 51, 45.9]]);
  const note = [{ text: "$ # a test for 51 is written", style: "" }];
  return [...first, [], note, ...prove(project)];
}

/** The same commit in every run: its name is printed. */
function git(cwd, words) {
  const date = "2026-01-01T00:00:00Z";
  const settings = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"];
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: "/dev/null" };
  if (spawnSync("git", [...settings, ...words], { cwd, env }).status !== 0) throw new Error(`git ${words[0]} failed`);
}

function prove(cwd) {
  const command = `stty cols ${COLUMNS} rows 50; '${process.execPath}' '${root}bin/miracle.js' prove -q`;
  const env = { PATH: "/usr/bin:/bin", HOME: place, MIRACLE_HOME: join(place, "data"), TERM: "xterm-256color" };
  const { stdout, status } = spawnSync("script", ["-qec", command, "/dev/null"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", 2],
  });
  if (status > 1) throw new Error(`miracle prove ended with ${status}: ${stdout}`);
  return [[{ text: "$ miracle prove -q", style: "" }], ...screenOf(String(stdout), COLUMNS)];
}

function wordsOf(line) {
  return line.map(({ text }) => text).join("");
}

function check(shown, printed) {
  const wrong = comparable(printed).find((line, index) => line !== comparable(shown)[index]);
  if (wrong === undefined && comparable(printed).length === comparable(shown).length) return;
  process.stderr.write(
    `docs/prove.svg shows something else than is printed (\`npm run picture\` makes it anew): ${wrong}\n`,
  );
  process.exitCode = 1;
}

/** Times differ from run to run, and with them how the line of times is wrapped. */
function comparable(lines) {
  return lines
    .filter((line) => !/^ {2}[\d.]+ s of work/.test(line))
    .map((line) => line.replace(/\d+(\.\d+)? ×/, "×").trimEnd());
}
