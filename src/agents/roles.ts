import type { z } from "zod";
import type { Role } from "../domain/message.ts";
import {
  ArchitectResult,
  CoderResult,
  DebuggerResult,
  JudgeResult,
  PlannerResult,
  ReflectorResult,
  RepromptResult,
  ReviewResult,
  TesterResult,
} from "./finish.ts";
import { addDependency } from "./tools/add-dependency.ts";
import { createFile } from "./tools/create-file.ts";
import { deleteFile } from "./tools/delete-file.ts";
import { editFile } from "./tools/edit-file.ts";
import { listFiles } from "./tools/list-files.ts";
import { readFile } from "./tools/read-file.ts";
import { runCommand } from "./tools/run-command.ts";
import { runTests } from "./tools/run-tests.ts";
import { search } from "./tools/search.ts";
import type { AnyTool } from "./tools/tool.ts";

const reading = [readFile, search];

interface RoleDefinition<Result> {
  tools: AnyTool[];
  result: z.ZodType<Result>;
}

const define = <Result>(tools: AnyTool[], result: z.ZodType<Result>): RoleDefinition<Result> => ({ tools, result });

/**
 * The tools and the result of each role. To add a role: one line here, its result in finish.ts, its prompt in
 * config/prompts/.
 */
export const roles = {
  planner: define(reading, PlannerResult),
  tester: define(reading, TesterResult),
  coder: define(
    [listFiles, ...reading, createFile, editFile, deleteFile, runCommand, runTests, addDependency],
    CoderResult,
  ),
  reflector: define(reading, ReflectorResult),
  // The judge sees the spec and one test, never the code. So it has no tools.
  judge: define([], JudgeResult),
  reviewer: define(reading, ReviewResult),
  auditor: define(reading, ReviewResult),
  reprompter: define(reading, RepromptResult),
  architect: define(reading, ArchitectResult),
  debugger: define([...reading, runCommand, runTests], DebuggerResult),
} satisfies Record<Role, RoleDefinition<unknown>>;
