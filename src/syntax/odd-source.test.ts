import { expect, test } from "vitest";
import { oddSource } from "./odd-source.ts";

const of = (path: string, text: string) => oddSource(path, Buffer.from(text));

test.each([
  ["a lone carriage return in a comment", "a.py", "x = 1\n# end\rimport os\n"],
  ["one of JavaScript", "a.js", "// end\rglobalThis.x = 1;\n"],
  ["two carriage returns at the end of a line", "a.js", "// end\r\r\nf();\n"],
  ["a line separator", "a.js", "// end\u2028f();\n"],
  ["a paragraph separator", "a.ts", "// end\u2029f();\n"],
  ["a NUL", "a.js", "// \0\nf();\n"],
  ["a vertical tab", "a.py", "x = 1 # a\vb\n"],
  ["a byte order mark in the middle", "a.js", "x\ufeff = 1;\n"],
  ["text that turns round", "a.go", "// \u202e\n"],
  ["a cookie of another encoding", "a.py", '# -*- coding: latin-1 -*-\nx = "€"\n'],
  ["a cookie in the second line", "a.py", "#!/usr/bin/python\n# vim: set fileencoding=utf-7 :\nx = 1\n"],
  ["an encoding in which ASCII means something else", "a.py", "# coding: utf-7\nx = 1\n"],
])("%s is odd", (_, path, text) => {
  expect(of(path, text)).not.toBeNull();
});

test.each([
  ["ordinary text", "a.py", 'x = "é🙂"\n'],
  ["Windows line ends", "a.js", "a();\r\nb();\r\n"],
  ["a byte order mark at the beginning", "a.py", "\ufeffx = 1\n"],
  ["a form feed between functions", "a.py", "x = 1\n\f\ny = 2\n"],
  ["a cookie that says what is so", "a.py", '# -*- coding: UTF-8 -*-\nx = "€"\n'],
  ["a cookie that changes nothing", "a.py", "# coding: latin-1\nx = 1\n"],
  ["a cookie where nobody looks for it", "a.py", '"""a"""\n\n# coding: latin-1\nx = "€"\n'],
  ["a cookie of no Python", "a.js", '# coding: latin-1\nx = "€"\n'],
  ["what is no code", "a.txt", "a\rb\0"],
])("%s is plain", (_, path, text) => {
  expect(of(path, text)).toBeNull();
});

test("bytes that are not UTF-8 are odd, and the reason names the line of what is", () => {
  expect(oddSource("a.py", Buffer.from([0x78, 0x3d, 0xff, 0x0a]))).toContain("not UTF-8");
  expect(of("a.py", "a = 1\nb = 2\rc = 3\n")).toMatch(/^line 2 holds a carriage return/);
});
