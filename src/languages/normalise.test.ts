import { expect, test } from "vitest";
import { normaliseOutput } from "./normalise.ts";

const normalise = (text: string) => normaliseOutput(text, { workspace: "/srv/checkouts/t1" });

test("shows the workspace where the sandbox shows it", () => {
  expect(normalise("/srv/checkouts/t1/a.py:3 file:///srv/checkouts/t1/b.js")).toBe(
    "/workspace/a.py:3 file:///workspace/b.js",
  );
});

test("drops colours and other codes of a terminal", () => {
  expect(normalise("\x1b[1;31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07 \x1b[2Kend\r\n")).toBe("red link end\n");
});

test.each([
  ["===== 1 failed, 2 passed in 0.03s =====", "===== 1 failed, 2 passed ====="],
  ["3 passed, 1 warning in 61.20s (0:01:01)", "3 passed, 1 warning"],
  ["===== no tests ran in 0.00s =====", "===== no tests ran ====="],
  ["0.11s call     tests/test_a.py::test_b", "call     tests/test_a.py::test_b"],
  ["✔ adds (0.918362ms)", "✔ adds"],
  ["  ✖ fails (1.5ms) # TODO", "  ✖ fails # TODO"],
  ["ℹ duration_ms 442.676683", "ℹ duration_ms"],
  ["    duration_ms: 1.234", "    duration_ms:"],
  [" ✓ test/a.test.js (3 tests) 12ms", " ✓ test/a.test.js (3 tests)"],
  ["   Duration  476ms (transform 36%)", "   Duration"],
  ["<Thing object at 0x7f759eab56d0>", "<Thing object at 0x…>"],
  ["/tmp/pytest-of-root/pytest-12/test_a0/x", "/tmp/pytest/test_a0/x"],
  ["/tmp/tmpab12cd_3/out /tmp/tmp.Ab12Cd34Ef", "/tmp/tmp…/out /tmp/tmp…"],
  ["Using --randomly-seed=3735928559", "Using --randomly-seed=…"],
  ['{ seed: -1234, path: "0:1", endOnFailure: true }', '{ seed: …, path: "0:1", endOnFailure: true }'],
])("takes what varies out of %j", (before, after) => {
  expect(normalise(before)).toBe(after);
});

test.each([
  "E   AssertionError: assert 'took 1.50s' == 'took 1.5s'",
  "finished in 3.0s",
  "colour 0xdeadbeef",
  "wrote /tmp/report.txt",
  "retry (12ms)",
  "seed: 7",
])("leaves what a program says as it is: %j", (text) => {
  expect(normalise(text)).toBe(text);
});

test("takes time that grows with the text and no faster", () => {
  for (const text of [
    "1 passed, ".repeat(100_000),
    `✔ ${"(".repeat(500_000)}`,
    `\x1b]${"x".repeat(500_000)}`,
    " ".repeat(500_000),
  ]) {
    normalise(text);
  }
});
