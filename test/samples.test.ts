import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { packageRoot } from "../src/config/package-root.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { byRole, call, roleOf, type ScriptedRoles } from "./scripted-goal.ts";

const SAMPLES = join(packageRoot(), "config", "samples");

const printed = (name: string, text: string, lines: string) =>
  `import subprocess\nimport sys\n\n\ndef test_${name}(tmp_path):\n    file = tmp_path / "text"\n    file.write_text("${text}")\n    done = subprocess.run([sys.executable, "frequent_words.py", str(file)], capture_output=True, text=True)\n    assert done.stdout == "${lines}"\n`;
const counted = (name: string, text: string, counts: string) =>
  `from word_counts import count_words\n\n\ndef test_${name}():\n    assert count_words("${text}") == ${counts}\n`;

const testFile = (name: string, content: string, todo: string, requirement: string) => ({
  path: `tests/test_${name}.py`,
  content,
  todo,
  covers: [{ test: `test_${name}`, requirement }],
});

const tests = [
  testFile("counts", counted("counts", "a b A", "{'a': 2, 'b': 1}"), "count_words", "R1"),
  { ...testFile("more", counted("more", "x X y", "{'x': 2, 'y': 1}"), "count_words", "R1"), heldOut: true },
  testFile("prints", printed("prints", "b a b", "b\\na\\n"), "print_words", "R2"),
  testFile(
    "ten",
    printed("ten", "k j i h g f e d c b a", "a\\nb\\nc\\nd\\ne\\nf\\ng\\nh\\ni\\nj\\n"),
    "print_words",
    "R2",
  ),
  { ...testFile("twelve", printed("twelve", "q q p p p r", "p\\nq\\nr\\n"), "print_words", "R2"), heldOut: true },
  {
    ...testFile(
      "last",
      printed("last", "l k j i h g f e d c b b", "b\\nc\\nd\\ne\\nf\\ng\\nh\\ni\\nj\\nk\\n"),
      "print_words",
      "R2",
    ),
    heldOut: true,
  },
];

const counting =
  "from collections import Counter\n\n\ndef count_words(text):\n    return dict(Counter(text.lower().split()))\n";
const printing =
  "import sys\n\nfrom word_counts import count_words\n\ncounts = count_words(open(sys.argv[1]).read())\nfor word in sorted(counts, key=lambda word: (-counts[word], word))[:10]:\n    print(word)\n";

/** What the roles do with each sample. A sample without its script fails, and so one that cannot be run. */
const SCRIPTS: Record<string, ScriptedRoles> = {
  "plan.yaml": {
    tester: [call("finish", { files: tests })],
    coder: [
      call("create_file", { path: "word_counts.py", content: counting }),
      call("finish", { summary: "counts" }),
      call("create_file", { path: "frequent_words.py", content: printing }),
      call("create_file", { path: "README.md", content: "Prints the most frequent words of a file.\n" }),
      call("finish", { summary: "prints" }),
    ],
  },
};

const plans = readdirSync(SAMPLES).filter((name) => /^\s*"?todos"?:/m.test(readFileSync(join(SAMPLES, name), "utf8")));

test.each(plans)("the sample %s is valid, and is run until it is proven", async (name) => {
  const script = SCRIPTS[name];
  if (!script) throw new Error(`nothing says how ${name} is worked on`);
  const builder = await AppBuilder.create(byRole(script));
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const miracle = async (...words: string[]) => {
    const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
    const exit = await runCommandLine(words, terminal);
    return { exit, told: terminal.outputs() + terminal.errors() };
  };
  const file = join(SAMPLES, name);
  expect(await miracle("validate", file, "--type", "plan")).toMatchObject({ exit: EXIT.done });
  const { exit, told } = await miracle("run", "--plan", file, "--architect", "never");
  expect(exit, told).toBe(EXIT.done);
  expect(builder.server.requests.map(roleOf)).not.toContain("planner");
  const asked = builder.server.requests.filter((request) => roleOf(request) === "coder");
  const briefs = asked.map(({ messages }) => messages[0]?.text ?? "");
  expect(briefs[0]).toContain("# What is to be done here\nWords are what stands between spaces.");
  expect(briefs[0]).toContain('- python3 -c "import word_counts"');
  expect(briefs.at(-1)).toContain("Found out earlier (spec_mismatch), a word was printed with its count: The command");
  expect(told).toContain("lines of the command");
});
