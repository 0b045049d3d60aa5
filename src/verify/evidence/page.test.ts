import { expect, test } from "vitest";
import { bareEvidence } from "../../../test/bare-evidence.ts";
import { judgeSpeed } from "../performance/judge-speed.ts";
import { renderComment } from "./comment.ts";
import { renderPage } from "./page.ts";

test("the page tells what was measured, each pair of it, what was not, what was checked and which tests were replaced", () => {
  const run = (workMs: number) => ({ workMs, totalMs: workMs + 50, result: "same", problem: "" });
  const pairs = Array.from({ length: 9 }, (_, seed) => ({ size: 990, seed, before: run(400), after: run(100) }));
  const none = { asked: null, factor: null, before: null, after: null, pairs: [] };
  const document = bareEvidence({
    producer: "run",
    checks: [{ command: "ruff check", passed: false, fresh: ["calc.py:1 F401 unused"] }],
    replaced: [{ test: "t.py::old", requirements: ["R1"], cause: "flaky_test", why: "a coin", by: ["t.py::new"] }],
    speed: [
      { requirement: "R1", benchmark: "bench/bench_x.py", asked: 3, ...judgeSpeed(pairs, 3) },
      { requirement: "R2", benchmark: null, verdict: "not-measured", why: "no benchmark covers R2", ...none },
    ],
  });
  const page = renderPage(document);
  expect(page).toContain("✓ R1 4.00 × as fast (4.00 to 4.00)");
  expect(page).toContain("(`bench/bench_x.py`, asked for: 3 ×)");
  expect(page.match(/400\/100 \(990\)/g)).toHaveLength(9);
  expect(page).toContain("✗ R2 no benchmark covers R2");
  expect(page).toContain("✗ `ruff check`\n- new: calc.py:1 F401 unused");
  expect(page).toContain("`t.py::old` of R1, flaky test: a coin; now `t.py::new`");
  const comment = renderComment(document);
  expect(comment).toMatch(/^### ✅ checked\n/);
  expect(comment.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
});

test("a place with a gap is told apart from one that nothing shows", () => {
  const open = { standing: "not-judged" as const, why: "no test notices `a` → `b`" };
  const document = bareEvidence({
    verdict: { status: "proven-in-part", summary: "proven in part", carriedBy: [], reasons: [] },
    account: [
      { ...open, path: "a.py", unit: "f", partly: true },
      { ...open, path: "b.yml" },
    ],
  });
  expect(renderPage(document)).toMatch(/\*\*has a gap\*\* `a.py` f: .*\n- \*\*not judged\*\* `b.yml`/);
  expect(renderComment(document)).toContain("- with a gap: `a.py f`\n- not judged: `b.yml`\n");
});
