import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { PlanState } from "../src/domain/task/plan-state.ts";
import type { Goal } from "../src/server/routes/task-routes.ts";
import type { Budgets, QueueView } from "../src/server/routes/team-routes.ts";
import type { KnownRecord } from "../src/server/tasks/memory-records.ts";
import type { Question } from "../src/server/tasks/questions.ts";
import type { StepDetail, StepView } from "../src/server/tasks/step-view.ts";
import type { TaskContents } from "../src/server/tasks/task-contents.ts";
import type { TaskView } from "../src/server/tasks/task-view.ts";
import type * as page from "../web/shapes.ts";

test("the server answers what the page reads", () => {
  expectTypeOf<TaskView>().toExtend<page.TaskView>();
  expectTypeOf<Question>().toExtend<page.Question>();
  expectTypeOf<StepView>().toExtend<page.StepView>();
  expectTypeOf<StepDetail>().toExtend<page.StepDetail>();
  expectTypeOf<KnownRecord>().toExtend<page.MemoryRecord>();
  expectTypeOf<z.infer<typeof QueueView>>().toExtend<page.QueueView>();
  expectTypeOf<z.infer<typeof Budgets>["budgets"][number]>().toExtend<page.MonthBudget>();
  expectTypeOf<PlanState>().toExtend<page.PlanState>();
  expectTypeOf<Awaited<ReturnType<TaskContents["usage"]>>>().toExtend<page.TaskUsage>();
});

test("the server takes what the page sends", () => {
  expectTypeOf<keyof page.NewGoal>().toExtend<keyof z.input<typeof Goal>>();
});
