import type { Goal } from "./coder-case.ts";

/** `add` subtracts. */
export const ADD: Goal = {
  language: "python",
  kind: "fix",
  goal: "add must return the sum",
  requirement: "add(a, b) returns the sum of two numbers",
  base: { "calc.py": "def add(a, b):\n    return a - b\n", "pyproject.toml": '[project]\nname = "calc"\n' },
  visible: {
    path: "tests/test_add.py",
    content: "from calc import add\n\n\ndef test_adds():\n    assert add(2, 3) == 5\n",
    names: ["test_adds"],
  },
  unseen: (number) => ({
    path: `tests/test_unseen_${number}.py`,
    content: `from calc import add\n\n\ndef test_unseen():\n    assert add(${20 + number}, 22) == ${42 + number}\n`,
    names: ["test_unseen"],
  }),
};

/** Something new, with expected values that stand in a table. */
export const SLUG: Goal = {
  language: "python",
  kind: "feature",
  goal: "write slugs.slug(text): lower case, words joined by hyphens",
  requirement: "slugs.slug(text) returns the words of text in lower case, joined by hyphens",
  base: { "README.md": "Slugs\n", "pyproject.toml": '[project]\nname = "slugs"\n' },
  visible: {
    path: "tests/test_slug.py",
    content: 'from slugs import slug\n\n\ndef test_slug():\n    assert slug("Hello World") == "hello-world"\n',
    names: ["test_slug"],
  },
  unseen: (number) => ({
    path: `tests/test_slug_more_${number}.py`,
    content: `import pytest\n\nfrom slugs import slug\n\n\n@pytest.mark.parametrize(\n    ("text", "expected"),\n    [("One Two Three ${number}", "one-two-three-${number}"), ("  Padded   Words ", "padded-words")],\n)\ndef test_more(text, expected):\n    assert slug(text) == expected\n`,
    names: ["test_more"],
  }),
};

/** The same of JavaScript, as an ES module. */
export const ADD_NODE: Goal = {
  language: "javascript",
  kind: "fix",
  goal: "add must return the sum",
  requirement: "add(a, b) returns the sum of two numbers",
  base: {
    "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/calc.js": "export const add = (a, b) => a - b;\n",
  },
  visible: {
    path: "test/add.test.js",
    content:
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { add } from "../src/calc.js";\n\ntest("adds", () => {\n  assert.equal(add(2, 3), 5);\n});\n',
    names: ["adds"],
  },
  unseen: (number) => ({
    path: `test/unseen-${number}.test.js`,
    content: `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { add } from "../src/calc.js";\n\ntest("unseen", () => {\n  assert.equal(add(${20 + number}, 22), ${42 + number});\n});\n`,
    names: ["unseen"],
  }),
};

/** CommonJS, something new, objects compared as a whole. */
export const PAIRS: Goal = {
  language: "javascript",
  kind: "feature",
  goal: "write src/pairs.js with parsePairs(text): an object from a=1;b=2",
  requirement: "parsePairs(text) returns an object of the names and numbers in text, as in a=1;b=2",
  base: { "package.json": '{ "scripts": { "test": "node --test" } }\n' },
  visible: {
    path: "test/pairs.test.js",
    content:
      'const assert = require("node:assert/strict");\nconst { test } = require("node:test");\nconst { parsePairs } = require("../src/pairs.js");\n\ntest("reads pairs", () => {\n  assert.deepEqual({ ...parsePairs("a=1;b=2") }, { a: 1, b: 2 });\n});\n',
    names: ["reads pairs"],
  },
  unseen: (number) => ({
    path: `test/more-${number}.test.js`,
    content: `const assert = require("node:assert/strict");\nconst { test } = require("node:test");\nconst { parsePairs } = require("../src/pairs.js");\n\ntest("reads more", () => {\n  assert.deepEqual({ ...parsePairs("x=7;yy=${30 + number};z=0") }, { x: 7, yy: ${30 + number}, z: 0 });\n});\n`,
    names: ["reads more"],
  }),
};

const count = (name: string, text: string, expected: number) =>
  `import subprocess\nimport sys\n\n\ndef ${name}():\n    done = subprocess.run([sys.executable, "words.py"], input="${text}", capture_output=True, text=True)\n    assert done.returncode == 0\n    assert done.stdout.strip() == "${expected}"\n`;

/** A program. */
export const WORDS: Goal = {
  language: "python",
  kind: "feature",
  goal: "write words.py: it prints how many words stand on standard input",
  requirement: "words.py prints how many words stand on standard input",
  base: { "README.md": "Words\n", "pyproject.toml": '[project]\nname = "words"\n' },
  visible: { path: "tests/test_words.py", content: count("test_counts", "one two", 2), names: ["test_counts"] },
  unseen: (number) => ({
    path: `tests/test_words_more_${number}.py`,
    content: count("test_counts_more", `${"w ".repeat(11 + number)}end`, 12 + number),
    names: ["test_counts_more"],
  }),
};

const PYTHON_CLIENT = `import json
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager


@contextmanager
def running():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "server.py", str(port)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert process.poll() is None
                time.sleep(0.02)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()
`;

const askPython = (name: string, text: string) =>
  `${PYTHON_CLIENT}\n\ndef ${name}():\n    with running() as url:\n        with urllib.request.urlopen(url + "/reverse?text=${text}") as answer:\n            assert answer.status == 200\n            assert json.load(answer) == {"text": "${[...text].reverse().join("")}"}\n`;

/** A server, talked to by HTTP. */
export const SERVER: Goal = {
  language: "python",
  kind: "feature",
  goal: "write server.py PORT: GET /reverse?text=abc answers with the text reversed",
  requirement: 'server.py PORT listens on 127.0.0.1; GET /reverse?text=abc answers 200 and the JSON {"text": "cba"}',
  base: { "README.md": "Server\n", "pyproject.toml": '[project]\nname = "server"\n' },
  visible: { path: "tests/test_server.py", content: askPython("test_reverses", "abc"), names: ["test_reverses"] },
  unseen: (number) => ({
    path: `tests/test_server_more_${number}.py`,
    content: askPython("test_reverses_more", `miracle${number}`),
    names: ["test_reverses_more"],
  }),
};
