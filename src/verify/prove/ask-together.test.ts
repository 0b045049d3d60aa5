import { expect, test } from "vitest";
import { askTogether } from "./ask-together.ts";

const why = "was edited";
const question = (id: string, because = why) => ({ test: id, why: because, flag: `--superseded '${id}'` });

test("a few tests are asked one by one", () => {
  expect(askTogether([question("t.py::a"), question("t.py::b")])).toEqual([
    { test: "t.py::a", why: "was edited (if that is meant: --superseded 't.py::a')" },
    { test: "t.py::b", why: "was edited (if that is meant: --superseded 't.py::b')" },
  ]);
});

test("many of one file are one question, answered for the function or for the file", () => {
  const cases = ["1", "2", "3", "4"].map((one) => question(`t.py::a[${one}]`));
  const others = ["b", "c", "d", "e"].map((one) => question(`u.py::${one}`));
  const odd = question("u.py::f", "is red");
  expect(askTogether([...cases, ...others, odd])).toEqual([
    { test: "t.py::a, each of 4 cases", why: "was edited (if that is meant: --superseded 't.py::a')" },
    { test: "u.py, each of 4 tests", why: "was edited (if that is meant: --superseded 'u.py')" },
    { test: "u.py::f", why: "is red (if that is meant: --superseded 'u.py::f')" },
  ]);
});
