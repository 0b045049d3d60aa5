import { expect, test } from "vitest";
import { Contract } from "../../domain/plan/contract.ts";
import { testSkeletons } from "./test-skeletons.ts";

const contract = (change: object) => Contract.parse({ title: "t", language: "python", ...change });
const add = {
  file: "calc.py",
  name: "add",
  parameters: [
    { name: "a", type: "int" },
    { name: "b", type: "int" },
  ],
  returns: "int",
  raises: ["TypeError"],
  examples: [
    { call: "add(1, 2)", returns: "3" },
    { call: "add(1, 'x')", raises: "TypeError" },
  ],
};
const requirements = [
  { id: "R1", text: "address(a) is no sum", assumption: false },
  { id: "R2", text: "add(a, b) returns the sum", assumption: false },
  { id: "R3", text: "GET /health answers 200", assumption: false },
];

test("each promise becomes a named test with its requirement, its examples as assertions", () => {
  expect(testSkeletons(contract({ functions: [add] }), requirements, "python")).toBe(
    [
      "def test_add():  # R2: add(a: int, b: int) -> int, raises TypeError",
      "    assert add(1, 2) == 3",
      "    with pytest.raises(TypeError):",
      "        add(1, 'x')",
      "    ...",
    ].join("\n"),
  );
  const typed = testSkeletons(contract({ functions: [add] }), requirements, "typescript");
  expect(typed).toContain("assert.deepEqual(add(1, 2), 3);");
  expect(typed).toContain("assert.throws(() => add(1, 'x'), TypeError);");
  expect(testSkeletons(contract({ functions: [add] }), requirements, "go")).toContain(
    "func TestAdd(t *testing.T) { // R2",
  );
});

test("methods and operations of a web API are promises too, and what no requirement names says so", () => {
  const shop = { file: "shop.py", name: "Basket", methods: [{ name: "total_price", returns: "int" }] };
  const openapi = {
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: { "/health": { get: { responses: { 200: {}, 503: {} } } } },
  };
  const text = testSkeletons(contract({ classes: [shop], openapi }), requirements, "python");
  expect(text).toContain("def test_basket_total_price():  # which requirement?: total_price() -> int");
  expect(text).toContain("def test_get_health_200():  # R3: GET /health answers 200");
  expect(text).toContain("def test_get_health_503():");
});

test("a large contract gives a bounded number of them", () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ file: "m.py", name: `f${index}` }));
  const text = testSkeletons(contract({ functions: many }), requirements, "python");
  expect(text.match(/^def /gm)).toHaveLength(24);
  expect(text).toContain("and 6 more promises");
});
