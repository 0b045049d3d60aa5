import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../config/package-root.ts";
import { loadDependencyRules } from "../dependencies/load-dependency-rules.ts";
import { readCorpus } from "./corpus/read-corpus.ts";
import { judgeCommand } from "./judge-command.ts";
import { loadCommandRules } from "./load-command-rules.ts";

const rules = {
  ...(await loadCommandRules(packageRoot())),
  dependencies: await loadDependencyRules(packageRoot()),
};
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Whatever comes in, a whole verdict comes out. */
function judged(line: string) {
  const verdict = judgeCommand(line, rules);
  const { decision, reasons } = verdict;
  expect(decision === "allow").toBe(reasons.length === 0);
  expect(decision === "deny").toBe(reasons.some((reason) => reason.decision === "deny"));
  for (const { from, to, text, message, instead } of reasons) {
    expect(from).toBeGreaterThanOrEqual(0);
    expect(to).toBeGreaterThanOrEqual(from);
    expect(to).toBeLessThanOrEqual(line.length);
    expect(text.length).toBeLessThanOrEqual(200);
    expect(message).not.toBe("");
    expect(instead).not.toBe("");
  }
  return verdict;
}

/** Ways to write or wrap a command; each runs what it is given, at once. */
const wrappers: ((command: string) => string)[] = [
  (command) => `sh -c ${quote(command)}`,
  (command) => `bash -xec ${quote(command)} ignored`,
  (command) => `eval ${quote(command)}`,
  (command) => `env A=1 bash -c ${quote(command)}`,
  (command) => `timeout 5 sh -c ${quote(command)}`,
  (command) => `trap ${quote(command)} EXIT`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `echo $( ${command} )`,
  (command) => `x="$( ${command} )"`,
  (command) => `cat <( ${command} )`,
  (command) => `true && { ${command}; } || false`,
  (command) => `if ${command}; then :; fi`,
  (command) => `while ${command}; do break; done`,
  (command) => `for i in 1 2; do ${command}; done`,
  (command) => `case x in x) ${command} ;; esac`,
  (command) => `run_it() { ${command}; }; run_it`,
  (command) => `ls | ( ${command} )`,
  (command) => `! { ${command}; }`,
  (command) => `[[ -n $( ${command} ) ]]`,
  (command) => `echo $((1 + $( ${command} )))`,
  (command) => `echo \${x:-$( ${command} )}`,
  (command) => `bash <<'END_OF_TEXT'\n${command}\nEND_OF_TEXT\n`,
  (command) => `find . -name x -exec sh -c ${quote(command)} \\;`,
  (command) => `echo a | xargs -I% sh -c ${quote(command)}`,
  (command) => `( ${command} ) &`,
  (command) => `coproc { ${command}; }`,
];

const lethal = fc.constantFrom(
  "rm -rf /",
  "r\\m -rf ~",
  "sudo ls",
  "git push",
  "yes > f",
  "echo x > /etc/x",
  "$other y",
  "a=r; b=m; $a$b -rf ..",
);
const harmless = fc.constantFrom("ls", "echo 'a b'", "pytest -q", "git status", 'wc -l "$f"', "x=1", "make -j2 2>&1");
const wrapped = fc
  .tuple(lethal, fc.array(fc.constantFrom(...wrappers), { maxLength: 4 }), harmless)
  .map(([command, ways, other]) => `${other}; ${ways.reduce<string>((inner, wrap) => wrap(inner), command)}\n${other}`);

const { script } = fc.letrec<{ word: string; command: string; script: string }>((tie) => ({
  word: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      "a",
      "-rf",
      "/",
      "~",
      "*",
      '"$x"',
      "'q q'",
      "{a,b}",
      "$'\\x41'",
      "x=1",
      "$\u007by%.c}",
      "$((1+2))",
      ">f",
      "2>&1",
      "<<<z",
    ),
    tie("script").map((inner) => `$(${inner})`),
    tie("script").map((inner) => `"\`${inner}\`"`),
    tie("script").map((inner) => `<(${inner})`),
  ),
  command: fc
    .tuple(
      fc.constantFrom(
        "ls",
        "rm",
        "env",
        "xargs",
        "find",
        "sh -c",
        "sed",
        "awk",
        "git",
        "pip install",
        "curl",
        "tar",
        "$x",
        "eval",
        "dd",
        "npx",
      ),
      fc.array(tie("word"), { maxLength: 4 }),
    )
    .map(([name, words]) => [name, ...words].join(" ")),
  script: fc.oneof(
    { maxDepth: 4 },
    tie("command"),
    fc
      .tuple(tie("script"), fc.constantFrom(" | ", " && ", " || ", "; ", "\n", " & "), tie("script"))
      .map((parts) => parts.join("")),
    tie("script").map((inner) => `if ${inner}; then ${inner}; else ls; fi`),
    tie("script").map((inner) => `for i in a b; do ${inner}; done`),
    tie("script").map((inner) => `f() { ${inner}; }; f x`),
    tie("script").map((inner) => `( ${inner} )`),
    tie("script").map((inner) => `cat <<E\n${inner}\nE`),
  ),
}));

describe("a verdict", () => {
  test("comes for every script of a shell grammar", () => {
    fc.assert(
      fc.property(script, (line) => void judged(line)),
      { numRuns: 500 },
    );
  });

  test("comes for any text", () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 8 }),
        fc.constantFrom(
          "$(",
          "`",
          "${",
          "((",
          "[[",
          "<<E\n",
          "'",
          '"',
          "{",
          "}",
          ")",
          "\\",
          "\n",
          "|",
          "&",
          ";",
          "<(",
          "case x in",
          "$'",
          "rm -rf /",
        ),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(pieces, (parts) => void judged(parts.join(""))),
      { numRuns: 1000 },
    );
  });

  test("comes for every corpus line that was cut, doubled or mixed", () => {
    const lines = [...readCorpus("benign"), ...readCorpus("dangerous")];
    const part = fc.constantFrom(...lines).chain((line) => fc.nat(line.length).map((end) => line.slice(0, end)));
    fc.assert(
      fc.property(part, part, (left, right) => void judged(`${left}${right}`)),
      { numRuns: 500 },
    );
  });

  test("is never `allow` for a dangerous command, however it is wrapped", () => {
    fc.assert(
      fc.property(wrapped, (line) => {
        expect(judged(line).decision, line).toBe("deny");
      }),
      { numRuns: 600 },
    );
  });
});

describe("lines that would take long", () => {
  const openers = [
    "(",
    "$(",
    "`",
    "${",
    "$((",
    "{",
    '"$(',
    "<(",
    "{a,",
    "${a:-",
    "<<a ",
    "[[ ",
    "f(){ ",
    "if a; then ",
    '{"}"',
    "{\\}",
    '$(")"',
    "a=(",
    "@(",
  ];

  test.each(openers)("are refused: %j without end", (opener) => {
    const { decision } = judged(opener.repeat(Math.floor(rules.maxLength / opener.length)));
    expect(decision).toBe("deny");
  });

  test("of more than the limit are refused unread", () => {
    const { reasons } = judged(`echo ${"a".repeat(rules.maxLength)}`);
    expect(reasons.map(({ rule }) => rule)).toEqual(["line.too-long"]);
  });

  test("up to the limit are judged when they are plain", () => {
    const templates = ["const a = `", "{b}`; // ", "(c)\n"].join("$").repeat(3000);
    expect(judged(`cd web && cat > f.ts <<'E'\n${templates}E\nnpx tsc -p . | head\n`).decision).toBe("allow");
    expect(judged(`cat > f <<'E'\n${"const a = { b: 1 };\n".repeat(2000)}E\n`).decision).toBe("allow");
    expect(judged(`cat > f <<'E'\n${"x\n".repeat(40_000)}E\nrm -rf /`).decision).toBe("deny");
  });

  test("whose variables double with each other, or whose functions call each other in a ring, are refused", () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    const text = numbers.map((index) => `a${index + 1}=$a${index}$a${index};`).join("");
    const lists = numbers.map((index) => `a${index + 1}=("\${a${index}[@]}" "\${a${index}[@]}");`).join("");
    const ring = Array.from({ length: 3000 }, (_, index) => `f${index}(){ f${(index + 1) % 3000};};`).join("");
    for (const line of [`a0=aa;${text}rm $a60`, `a0=(a b);${lists}rm "\${a60[@]}"`, ring])
      expect(judged(line).reasons.map(({ rule }) => rule)).toContain("line.too-complex");
  });

  test("are refused also where another shell would read them", () => {
    const deep = "$(".repeat(20_000);
    for (const line of [`bash <<'E'\n${deep}\nE\n`, `sh -c '${deep}'`, `sh -c $'${"\\x24\\x28".repeat(10_000)}'`])
      expect(judged(line).reasons.map(({ rule }) => rule)).toContain("line.too-complex");
  });

  test("with more readings or steps than are looked at are refused", () => {
    const many = "for a in 1 2 3 4 5 6 7 8 9; do for b in 1 2 3 4 5 6 7 8 9; do ls $a $b $a $b; done; done";
    expect(judged(many).reasons.map(({ rule }) => rule)).toContain("line.too-complex");
    const calls = Array.from(
      { length: 12 },
      (_, index) => `f${index}() { f${index + 1}; f${index + 1}; f${index + 1}; }`,
    ).join("; ");
    expect(judged(`${calls}; f0`).reasons.map(({ rule }) => rule)).toContain("line.too-complex");
  });
});
