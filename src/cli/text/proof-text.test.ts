import { expect, test } from "vitest";
import { leaveFlags } from "./proof-text.ts";

test("the flags that accept what is not judged name the one place, or every file", () => {
  expect(leaveFlags([{ path: "a.py", unit: "f" }])).toBe("--leave 'a.py f'");
  const open = [
    { path: "a.py", unit: "f" },
    { path: "a.py", unit: "g" },
    { path: "b c.py", unit: "h" },
  ];
  expect(leaveFlags(open)).toBe("--leave a.py --leave 'b c.py'");
});
