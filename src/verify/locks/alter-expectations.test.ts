import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { alterExpectations } from "./alter-expectations.ts";

const parsers = new SyntaxParsers();

test("the written values of each test are others, and nothing else", async () => {
  const text = `def helper():
    assert f() == 1

class TestA:
    def test_number(self):
        assert f(2) == 3
        assert f(3) == 4
    def test_text(self):
        self.assertEqual(f(), "a")

def test_flag():
    assert g() == True

def test_none():
    assert f() != 3
    assert f() in (1, 2)
    assert f() == x

def test_odd():
    assert f() == f"{x}"
`;
  const altered = await alterExpectations("test_a.py", text, parsers);
  expect(altered.names).toEqual(["TestA::test_number", "TestA::test_text", "test_flag"]);
  expect(altered.text).toBe(
    text
      .replace("f(2) == 3", "f(2) == 37")
      .replace("f(3) == 4", "f(3) == 47")
      .replace('"a")', '"a~")')
      .replace("g() == True", "g() == '~'"),
  );
});

test("scripts, too", async () => {
  const text = `test("a", () => { assert.equal(f(1), 2); });
describe("g", () => { it("b", () => expect(f("x")).toBe("y")); it("c", () => expect(f(1)).not.toBe(3)); });
test("d", () => assert.deepEqual(f(), { a: 1 }));
`;
  const altered = await alterExpectations("a.test.js", text, parsers);
  expect(altered.names).toEqual(["a", "g > b"]);
  expect(altered.text).toBe(text.replace("f(1), 2)", "f(1), 27)").replace('toBe("y")', 'toBe("y~")'));
});
