import { expect, test } from "vitest";
import { proveChange } from "./prove-builder.ts";
import { SampleRepository } from "./sample-repository.ts";
import { withGo } from "./with-go.ts";

const rolesOf = ({ tests }: Awaited<ReturnType<typeof proveChange>>) =>
  Object.fromEntries(tests.map(({ id, role }) => [id.slice(id.indexOf("::") + 2), role]));

test("a fix in TypeScript is proven by its test, with coverage and mutants", async () => {
  const code = "export function cheapest(prices: number[]): number {\n  return Math.min(...prices);\n}\n";
  const tests = `import assert from "node:assert/strict";
import { test } from "node:test";
import { cheapest } from "../src/cart.ts";

test("cheapest", () => assert.equal(cheapest([3, 1]), 1));
`;
  const repository = new SampleRepository({
    "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    "tsconfig.json": "{}\n",
    "src/cart.ts": code,
    "test/cart.test.ts": tests,
  });
  repository.write({
    "src/cart.ts": code.replace("  return", "  if (prices.length === 0) {\n    return 0;\n  }\n  return"),
    "test/cart.test.ts": `${tests}test("nothing", () => assert.equal(cheapest([] as number[]), 0));\n`,
  });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict).toMatchObject({ status: "proven", carriedBy: ["change-tests"], reasons: [] });
  expect(rolesOf(evidence)).toEqual({ cheapest: "held", nothing: "red-to-green" });
  expect(evidence.coverage?.share).toBe(1);
  expect(evidence.mutants?.counts.killed).toBeGreaterThan(0);
});

withGo("a fix in Go is shown by its test, with coverage and mutants, and other inputs are not judged", async () => {
  const code = `package cart

func Cheapest(prices []int) int {
	best := prices[0]
	for _, price := range prices {
		if price < best {
			best = price
		}
	}
	return best
}
`;
  const tests = `package cart

import "testing"

func TestCheapest(t *testing.T) {
	if got := Cheapest([]int{3, 1, 2}); got != 1 {
		t.Errorf("got %d", got)
	}
}
`;
  const repository = new SampleRepository({
    "go.mod": "module example.com/cart\n\ngo 1.19\n",
    "cart.go": code,
    "cart_test.go": tests,
  });
  repository.write({
    "cart.go": code.replace("\tbest :=", "\tif len(prices) == 0 {\n\t\treturn 0\n\t}\n\tbest :="),
    "cart_test.go": `${tests}
func TestNothing(t *testing.T) {
	if got := Cheapest(nil); got != 0 {
		t.Errorf("got %d", got)
	}
}
`,
  });
  const evidence = await proveChange(repository.directory);
  expect(evidence.verdict).toMatchObject({ status: "proven-in-part", carriedBy: ["change-tests"] });
  expect(evidence.verdict.reasons).toEqual([
    "cart.go Cheapest: it could not be called with other inputs than its tests': calls of go code cannot be made again",
  ]);
  expect(rolesOf(evidence)).toEqual({ TestCheapest: "held", TestNothing: "red-to-green" });
  expect(evidence.coverage?.share).toBe(1);
  expect(evidence.mutants?.counts).toMatchObject({ survived: 0 });
  expect(evidence.mutants?.counts.killed).toBeGreaterThan(0);
});

test("each file is mutated and called by the tests in its own language", async () => {
  const [python, script] = ["def half(n):\n    return n - n // 2\n", "exports.third = (n) => (n / 3) | 0;\n"];
  const testScript = `const test = require("node:test");
const assert = require("node:assert");
const { third } = require("../third.js");
test("third", () => assert.equal(third(9), 3));
`;
  const repository = new SampleRepository({
    "package.json": '{ "scripts": { "test": "node --test" } }\n',
    "half.py": python,
    "test_half.py": "from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n",
    "third.js": script,
    "test/third.test.js": testScript,
  });
  repository.write({
    "half.py": python.replace("n - n // 2", "n // 2"),
    "test_half.py": "from half import half\n\n\ndef test_half():\n    assert half(4) == 2 and half(-3) == -2\n",
    "third.js": script.replace("(n / 3) | 0", "Math.floor(n / 3)"),
    "test/third.test.js": `${testScript}test("below zero", () => assert.equal(third(-4), -2));\n`,
  });
  const { mutants, behaviour, verdict } = await proveChange(repository.directory);
  expect(verdict).toMatchObject({ status: "proven", reasons: [] });
  const killed = mutants?.results.filter(({ fate }) => fate === "killed") ?? [];
  const byLanguage = new Map(killed.map(({ mutant, killedBy }) => [mutant.path, killedBy[0]?.split("::")[0]]));
  expect(Object.fromEntries(byLanguage)).toEqual({ "half.py": "test_half.py", "third.js": "test/third.test.js" });
  expect(behaviour?.map(({ name, problem }) => [name, problem])).toEqual([
    ["half", null],
    ["exports.third", null],
  ]);
});
