import type { Script, ServedRequest } from "./model-server.ts";
import { call, roleOf } from "./scripted-goal.ts";

/*
 * Six goals of everyday shapes. One mind plays all roles: it reads a file only where what it needs of it is not shown,
 * edits and runs the tests in one turn, and says that it is done only where it is asked. So the number of requests says
 * what the product makes a model do.
 */

export interface EverydayTask {
  goal: string;
  files: Record<string, string>;
  plan: { title: string; kind: "fix" | "feature"; language: "python" | "javascript"; [field: string]: unknown };
  tests: TestFile[];
  /** A first version of one of the tests, which passes before any change and is sent back. */
  tautology?: TestFile;
  /** What the planner and the coder must have seen before they can do their work: a line of each file. */
  needs: Record<string, string>;
  edits: ReturnType<typeof call>[];
}

interface TestFile {
  path: string;
  content: string;
  todo: string;
  heldOut?: boolean;
  covers: { test: string; requirement: string }[];
}

/** Answers from the request alone. */
export function mindOf(task: EverydayTask): Script {
  return (request) => {
    const role = roleOf(request);
    const turn = request.messages.filter((message) => message.role === "assistant").length;
    const unseen = Object.entries(task.needs).filter(([, line]) => !textOf(request).includes(line));
    if (turn === 0 && unseen.length > 0 && role !== "tester") {
      return { toolCalls: unseen.map(([path]) => call("read_file", { path })) };
    }
    if (role === "planner") return { toolCalls: [call("finish", task.plan)] };
    if (role === "tester") return { toolCalls: [call("finish", { files: testsFor(task, request, turn) })] };
    const isWritten = textOf(request).includes(JSON.stringify(task.edits[0]?.arguments).slice(0, 40));
    if (turn > 1 || (turn === 1 && isWritten)) return { toolCalls: [call("finish", { summary: "done" })] };
    return { toolCalls: [...task.edits, call("run_tests", {})] };
  };
}

function testsFor(task: EverydayTask, request: ServedRequest, turn: number): TestFile[] {
  const { tests, tautology } = task;
  const [briefing] = request.messages;
  if (briefing?.text.includes("would go unnoticed")) return [];
  if (!tautology) return tests;
  const replaced = tests.find(({ path }) => path === tautology.path);
  if (turn === 0) return tests.map((file) => (file === replaced ? tautology : file));
  const areKept = request.messages.some((message) => message.text.includes("are kept"));
  return tests.filter((file) => !areKept || file === replaced);
}

const textOf = (request: ServedRequest): string =>
  JSON.stringify(request.body).replaceAll("\\n", "\n").replaceAll('\\"', '"');

const python = (todo: string, names: [string, string], imports: string, bodies: [string, string]): TestFile[] => [
  {
    path: `tests/test_${todo}.py`,
    content: `${imports}\n\n\ndef ${names[0]}():\n    ${bodies[0]}\n`,
    todo,
    covers: [{ test: names[0], requirement: "R1" }],
  },
  {
    path: `tests/test_${todo}_unseen.py`,
    content: `${imports}\n\n\ndef ${names[1]}():\n    ${bodies[1]}\n`,
    todo,
    heldOut: true,
    covers: [{ test: names[1], requirement: "R1" }],
  },
];

const javascript = (todo: string, imports: string, bodies: Record<string, [string, string]>): TestFile[] =>
  ["", "-unseen"].map((suffix, at) => ({
    path: `test/${todo}${suffix}.test.js`,
    content: `import assert from "node:assert/strict";\nimport { test } from "node:test";\n${imports}\n\n${Object.entries(
      bodies,
    )
      .map(([id, body]) => `test("${id}${suffix} holds", () => {\n  ${body[at]}\n});\n`)
      .join("\n")}`,
    todo,
    ...(at === 1 && { heldOut: true }),
    covers: Object.keys(bodies).map((id) => ({ test: `${id}${suffix} holds`, requirement: id })),
  }));

const todo = (id: string, title: string, artifacts: string[]) => ({ id, title, artifacts });

/** A library of one large file, with the catalogues of many languages beside it. */
function library(): Record<string, string> {
  const units = Array.from({ length: 44 }, (_, index) => {
    const name = `measure_${index}`;
    return `def ${name}(value, factor=${index + 1}):\n    """Gives the value in unit ${index}, rounded down.\n\n    A value that is no number gives None, as everywhere in this file.\n    """\n    if not isinstance(value, (int, float)):\n        return None\n    scaled = value * factor\n    if scaled < 0:\n        return -int(-scaled)\n    return int(scaled)\n`;
  });
  units.splice(
    20,
    0,
    `def naturalsize(value):\n    """A number of bytes as people write it."""\n    if value <= 1000:\n        return f"{value} Bytes"\n    return f"{value / 1000:.1f} kB"\n`,
  );
  const languages = Array.from({ length: 35 }, (_, index) => String.fromCharCode(97 + (index % 26), 97 + (index % 7)));
  return {
    "README.md": "# Units\n",
    "units/__init__.py": "",
    "units/number.py": `"""Numbers as people write them."""\n\n\n${units.join("\n\n")}`,
    ...Object.fromEntries(
      [...new Set(languages)].map((name) => [`units/locale/${name}_XX/LC_MESSAGES/units.po`, 'msgid "Bytes"\n']),
    ),
    "tests/test_number.py":
      'from units.number import naturalsize\n\n\ndef test_small():\n    assert naturalsize(12) == "12 Bytes"\n',
  };
}

const numbered = (count: number, make: (index: number) => [string, string]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));

export const everydayTasks: Record<string, EverydayTask> = {
  "one line in a large file": {
    goal: 'naturalsize(1000) gives "1000 Bytes" and should give "1.0 kB": a thousand bytes are a kilobyte.',
    files: library(),
    plan: {
      size: "small",
      title: "a thousand bytes are a kilobyte",
      kind: "fix",
      language: "python",
      requirements: [
        {
          id: "R1",
          text: "naturalsize(1000) in units/number.py returns '1.0 kB'; below a thousand it is in Bytes as before",
          quote: "a thousand bytes are a kilobyte",
          example: { input: "naturalsize(1000)", output: "1.0 kB" },
        },
      ],
      todos: [todo("size", "use kB from a thousand bytes on", ["units/number.py"])],
      relevantFiles: ["units/number.py", "tests/test_number.py"],
    },
    tests: python("size", ["test_thousand", "test_thousand_unseen"], "from units.number import naturalsize", [
      'assert naturalsize(1000) == "1.0 kB"',
      'assert [naturalsize(n) for n in (999, 1000, 1500)] == ["999 Bytes", "1.0 kB", "1.5 kB"]',
    ]),
    needs: { "units/number.py": "if value <= 1000:" },
    edits: [call("edit_file", { path: "units/number.py", oldText: "value <= 1000", newText: "value < 1000" })],
  },
  "a small new program": {
    goal: "Write shorten.py with shorten(text, limit): the text itself if it has at most limit characters, else its first limit - 1 characters and an ellipsis character (…).",
    files: {},
    plan: {
      size: "small",
      title: "shorten texts",
      kind: "feature",
      language: "python",
      requirements: [
        {
          id: "R1",
          text: "shorten(text, limit) in shorten.py returns the text if it is not longer than limit, else the first limit - 1 characters and …",
          quote: "its first limit - 1 characters and an ellipsis character",
          example: { input: "shorten('abcdef', 4)", output: "abc…" },
        },
      ],
      todos: [todo("shorten", "write shorten", ["shorten.py"])],
    },
    tests: python("shorten", ["test_shortens", "test_shortens_unseen"], "from shorten import shorten", [
      'assert shorten("abcdef", 4) == "abc…"',
      'assert [shorten("house", n) for n in (3, 4, 5, 6)] == ["ho…", "hou…", "house", "house"]',
    ]),
    needs: {},
    edits: [
      call("create_file", {
        path: "shorten.py",
        content:
          'def shorten(text, limit):\n    if len(text) <= limit:\n        return text\n    return text[: limit - 1] + "…"\n',
      }),
    ],
  },
  "a feature in a small project": {
    goal: "The cart can give a discount: total(items, percent) takes that share off, and without percent nothing changes.",
    files: {
      "package.json": JSON.stringify({ name: "cart", type: "module", scripts: { test: "node --test" } }),
      "README.md": "# Cart\n\nAdds up what is in a cart.\n",
      "src/cart.js": `export function total(items) {\n  return items.reduce((sum, item) => sum + item.price * item.count, 0);\n}\n`,
      "src/names.js": "export const names = (items) => items.map((item) => item.name);\n",
      "test/cart.test.js": `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { total } from "../src/cart.js";\n\ntest("adds up", () => {\n  assert.equal(total([{ price: 2, count: 3 }]), 6);\n});\n`,
    },
    plan: {
      size: "small",
      title: "discounts",
      kind: "feature",
      language: "javascript",
      requirements: [
        {
          id: "R1",
          text: "total(items, percent) in src/cart.js takes percent of the sum off",
          quote: "total(items, percent) takes that share off",
          example: { input: "total([{price: 10, count: 1}], 10)", output: "9" },
        },
      ],
      todos: [todo("discount", "take a share off in total", ["src/cart.js"])],
      relevantFiles: ["src/cart.js", "test/cart.test.js"],
    },
    tests: javascript("discount", 'import { total } from "../src/cart.js";', {
      R1: [
        "assert.equal(total([{ price: 10, count: 1 }], 10), 9);",
        "assert.deepEqual([total([{ price: 20, count: 2 }], 25), total([{ price: 20, count: 2 }])], [30, 40]);",
      ],
    }),
    needs: { "src/cart.js": "export function total(items) {" },
    edits: [
      call("edit_file", {
        path: "src/cart.js",
        oldText:
          "export function total(items) {\n  return items.reduce((sum, item) => sum + item.price * item.count, 0);",
        newText:
          "export function total(items, percent = 0) {\n  const sum = items.reduce((sum, item) => sum + item.price * item.count, 0);\n  return (sum * (100 - percent)) / 100;",
      }),
    ],
  },
  "a bug with a failing test": {
    goal: "tests/test_slug.py fails: slug() in web/slug.py must make one dash of several spaces.",
    files: {
      "web/__init__.py": "",
      "web/slug.py": 'def slug(title):\n    return title.strip().lower().replace(" ", "-")\n',
      ...numbered(12, (index) => [
        `web/page_${index}.py`,
        `def page_${index}():\n    return "${"page ".repeat(200)}"\n`,
      ]),
      "tests/test_slug.py":
        'from web.slug import slug\n\n\ndef test_one_dash():\n    assert slug("a  b") == "a-b"\n\n\ndef test_plain():\n    assert slug("A b") == "a-b"\n',
    },
    plan: {
      size: "small",
      title: "one dash for several spaces",
      kind: "fix",
      language: "python",
      requirements: [
        {
          id: "R1",
          text: "slug(title) in web/slug.py makes one dash of several spaces",
          quote: "must make one dash of several spaces",
          example: { input: "slug('a  b')", output: "a-b" },
        },
      ],
      todos: [todo("dash", "make one dash of several spaces", ["web/slug.py"])],
      relevantFiles: ["web/slug.py", "tests/test_slug.py"],
    },
    tests: python("dash", ["test_dash", "test_dash_unseen"], "from web.slug import slug", [
      'assert slug("one  two") == "one-two"',
      'assert [slug(" a   b "), slug("x y")] == ["a-b", "x-y"]',
    ]),
    needs: { "web/slug.py": 'replace(" ", "-")' },
    edits: [
      call("edit_file", {
        path: "web/slug.py",
        oldText: 'title.strip().lower().replace(" ", "-")',
        newText: '"-".join(title.lower().split())',
      }),
    ],
  },
  "a change of two files": {
    goal: "Log lines have a level: parse() gives it (INFO where there is none), and report() counts the lines of each level.",
    files: {
      "package.json": JSON.stringify({ name: "logs", type: "module", scripts: { test: "node --test" } }),
      "src/parse.js": `export function parse(line) {\n  return { text: line };\n}\n`,
      "src/report.js": `import { parse } from "./parse.js";\n\nexport function report(lines) {\n  return { lines: lines.map(parse).length };\n}\n`,
      "test/report.test.js": `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { report } from "../src/report.js";\n\ntest("counts lines", () => {\n  assert.equal(report(["a", "b"]).lines, 2);\n});\n`,
    },
    plan: {
      size: "small",
      title: "levels of log lines",
      kind: "feature",
      language: "javascript",
      requirements: [
        {
          id: "R1",
          text: "parse(line) in src/parse.js gives {level, text}: 'WARN: x' has level WARN and text x; without a level it is INFO",
          quote: "parse() gives it (INFO where there is none)",
          example: { input: "parse('WARN: x')", output: "{level: 'WARN', text: 'x'}" },
        },
        {
          id: "R2",
          text: "report(lines) in src/report.js has levels: the number of lines of each level",
          quote: "report() counts the lines of each level",
          example: { input: "report(['WARN: x', 'y']).levels", output: "{WARN: 1, INFO: 1}" },
        },
      ],
      todos: [todo("levels", "read and count levels", ["src/parse.js", "src/report.js"])],
      relevantFiles: ["src/parse.js", "src/report.js", "test/report.test.js"],
    },
    tests: javascript(
      "levels",
      'import { parse } from "../src/parse.js";\nimport { report } from "../src/report.js";',
      {
        R1: [
          'assert.deepEqual(parse("WARN: x"), { level: "WARN", text: "x" });',
          'assert.deepEqual([parse("plain"), parse("ERROR: disk")], [{ level: "INFO", text: "plain" }, { level: "ERROR", text: "disk" }]);',
        ],
        R2: [
          'assert.deepEqual(report(["WARN: x", "y"]).levels, { WARN: 1, INFO: 1 });',
          'assert.deepEqual(report(["WARN: a", "WARN: b", "c"]).levels, { WARN: 2, INFO: 1 });',
        ],
      },
    ),
    needs: { "src/parse.js": "return { text: line };", "src/report.js": "lines: lines.map(parse).length" },
    edits: [
      call("edit_file", {
        path: "src/parse.js",
        oldText: "  return { text: line };",
        newText: '  const [, level = "INFO", text] = /^(?:([A-Z]+): )?(.*)$/s.exec(line);\n  return { level, text };',
      }),
      call("edit_file", {
        path: "src/report.js",
        oldText: "  return { lines: lines.map(parse).length };",
        newText:
          "  const levels = {};\n  for (const { level } of lines.map(parse)) levels[level] = (levels[level] ?? 0) + 1;\n  return { lines: lines.length, levels };",
      }),
    ],
  },
  "a goal that names its file": {
    goal: "In src/interval.js, overlaps(a, b) must be false for intervals that only touch: [1, 2] and [2, 3] do not overlap.",
    files: {
      "package.json": JSON.stringify({ name: "calendar", type: "module", scripts: { test: "node --test" } }),
      "src/interval.js":
        "export const overlaps = (a, b) => a[0] <= b[1] && b[0] <= a[1];\nexport const length = (a) => a[1] - a[0];\n",
      ...numbered(40, (index) => [
        `src/view/view-${index}.js`,
        `export const view${index} = () => "${"a view ".repeat(60)}";\n`,
      ]),
      "test/interval.test.js": `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { overlaps } from "../src/interval.js";\n\ntest("overlaps", () => {\n  assert.equal(overlaps([1, 3], [2, 4]), true);\n});\n`,
    },
    plan: {
      size: "small",
      title: "touching intervals do not overlap",
      kind: "fix",
      language: "javascript",
      requirements: [
        {
          id: "R1",
          text: "overlaps(a, b) in src/interval.js is false for intervals that only touch",
          quote: "must be false for intervals that only touch",
          example: { input: "overlaps([1, 2], [2, 3])", output: "false" },
        },
      ],
      todos: [todo("touch", "touching is not overlapping", ["src/interval.js"])],
      relevantFiles: ["src/interval.js", "test/interval.test.js"],
    },
    tests: javascript("touch", 'import { overlaps } from "../src/interval.js";', {
      R1: [
        "assert.equal(overlaps([1, 2], [2, 3]), false);",
        "assert.deepEqual([overlaps([5, 6], [4, 5]), overlaps([1, 5], [2, 3]), overlaps([2, 3], [3, 4])], [false, true, false]);",
      ],
    }),
    needs: { "src/interval.js": "a[0] <= b[1]" },
    edits: [
      call("edit_file", {
        path: "src/interval.js",
        oldText: "a[0] <= b[1] && b[0] <= a[1]",
        newText: "a[0] < b[1] && b[0] < a[1]",
      }),
    ],
  },
};

const two = everydayTasks["a change of two files"];
if (two) {
  const [visible] = two.tests;
  if (visible) {
    two.tautology = {
      ...visible,
      content: visible.content.replace(/\n {2}assert\.deepEqual\(parse.*\n/, "\n  assert.ok(parse);\n"),
    };
  }
}
