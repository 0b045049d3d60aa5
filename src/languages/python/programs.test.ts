import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { COMPARE_PROGRAM } from "./compare-program.ts";
import { MUTANT_SERVER } from "./mutant-server.ts";
import { PLACE_PLUGIN } from "./place-plugin.ts";
import { PYTEST_PROGRAM, pytestProgram } from "./pytest-program.ts";
import { READS_PLUGIN } from "./reads-plugin.ts";
import { RECORD_PLUGIN } from "./record-plugin.ts";
import { REPLAY_SERVER } from "./replay-server.ts";
import { SHUFFLE_PLUGIN, TRACE_PLUGIN } from "./trace-plugin.ts";

/** Functions and classes whose name another statement of the same program takes for something else. */
const TAKEN = `import ast, sys
bound, taken = {}, set()
for node in ast.parse(sys.stdin.read()).body:
    made = isinstance(node, (ast.FunctionDef, ast.ClassDef))
    names = [node.name] if made else [one.id for one in ast.walk(node)
                                      if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    for name in names:
        if name in bound and (made or bound[name]):
            taken.add(name)
        bound[name] = bound.get(name, False) or made
print(",".join(sorted(taken)))`;

test.each([
  ["pytest", PYTEST_PROGRAM],
  ["recording", pytestProgram(RECORD_PLUGIN, "recorder, ")],
  ["calls in place", pytestProgram(PLACE_PLUGIN, "recorder, ")],
  ["watching", pytestProgram(READS_PLUGIN + TRACE_PLUGIN + SHUFFLE_PLUGIN, "watch, reads, Shuffle(), ")],
  ["mutants", MUTANT_SERVER],
  ["replay", REPLAY_SERVER],
  ["comparison", COMPARE_PROGRAM],
])("no part of the program for %s takes a name that another part gave to a function", (_, program) => {
  const said = execFileSync("/usr/bin/python3", ["-I", "-c", TAKEN], { input: program, encoding: "utf8" });
  expect(said.trim()).toBe("");
});
