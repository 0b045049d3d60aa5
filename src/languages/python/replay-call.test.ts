import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { CALL } from "./replay-call.ts";
import { DESCRIBE } from "./replay-describe.ts";
import { VARY } from "./replay-vary.ts";

/** A class as a project would have it, and how often its functions are taken apart while it is looked at. */
const PROGRAM = `
import dis, os, sys
ROOT = "/project"
${DESCRIBE}
${VARY}
${CALL}
project = types.ModuleType("project")
project.__file__ = "/project/point.py"
sys.modules["project"] = project
exec("""class Point:
    def __init__(self, x):
        self.x = x
    def move(self):
        self.moved = 1
""", vars(project))
read, usual = [], dis.get_instructions
dis.get_instructions = lambda code: read.append(code.co_name) or usual(code)
shapes = {shape_of([project.Point(number), "text"]) for number in range(3)}
def jump(self):
    self.height = 1
project.Point.jump = jump
print(sorted(read), sorted(shapes), shape_of([project.Point(4)]))
`;

test("the names of attributes are read once from the code of a class, and again where it got other code", () => {
  const said = execFileSync("/usr/bin/python3", ["-I", "-B", "-c", PROGRAM], { encoding: "utf8" });
  expect(said.trim()).toBe(`['__init__', 'move'] ["[('Point', 'moved,x')]"] [('Point', 'height,moved,x')]`);
});
