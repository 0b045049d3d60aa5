import { z } from "zod";
import { isRed } from "../../domain/evidence/test-report.ts";
import { TestReportDocument } from "../../domain/evidence/test-report-document.ts";
import { checkPlan } from "../../domain/plan/check-plan.ts";
import { Contract, checkContract } from "../../domain/plan/contract.ts";
import { Todo } from "../../domain/plan/plan.ts";
import { PlanFile } from "../../domain/plan/plan-file.ts";
import { levelsOf } from "../../domain/plan/plan-graph.ts";
import { Requirement } from "../../domain/plan/spec.ts";
import { checkTemplate, Template } from "../../domain/plan/template.ts";
import { count } from "../text/amounts.ts";

/** Something wrong in a file, at the value of this path. */
interface DocumentProblem {
  path: (string | number)[];
  message: string;
}

/** A document that people and programs exchange with Miracle. */
interface DocumentKind {
  schema: z.ZodType;
  title: string;
  /** What the schema cannot say: graphs, names, references. */
  check(value: unknown): DocumentProblem[];
  /** What it is, in a few words, once it holds. */
  describe(value: unknown): string;
}

/** A todo list, alone or with the requirements it fulfils. */
const TodoList = z.lazy(() =>
  z.looseObject({ requirements: z.array(Requirement).optional(), todos: z.array(Todo).min(1) }),
);

export type DocumentName = "plan" | "contract" | "report";

export const documentKinds: Record<DocumentName, DocumentKind> = {
  plan: {
    schema: TodoList,
    title: "Miracle todo list",
    check: (value) => {
      const { todos, requirements } = TodoList.parse(value);
      return todoProblems(todos, requirements, ["todos"]);
    },
    describe: (value) => describePlan(TodoList.parse(value).todos),
  },
  contract: {
    schema: Contract,
    title: "Miracle contract",
    check: (value) => checkContract(Contract.parse(value)),
    describe: (value) => {
      const { functions, classes, models, errors, openapi } = Contract.parse(value);
      const paths = openapi ? `, ${count(Object.keys(openapi.paths).length, "path")} of an API` : "";
      const data = `${count(models.length, "data model")}, ${count(errors.length, "error")}`;
      return `${count(functions.length, "function")}, ${count(classes.length, "class", "classes")}, ${data}${paths}`;
    },
  },
  report: {
    schema: TestReportDocument,
    title: "Miracle test report",
    check: () => [],
    describe: (value) => {
      const { report } = TestReportDocument.parse(value);
      return `${count(report.tests.length, "test")}, ${report.tests.filter(isRed).length} red, ${report.ending}`;
    },
  },
};

/** A plan with its spec around it, as `miracle plan` writes it and `run --plan` takes it. */
export const planFile: DocumentKind = {
  schema: PlanFile,
  title: "Miracle plan",
  check: (value) => {
    const { plan, spec } = PlanFile.parse(value);
    return todoProblems(plan.todos, spec.requirements, ["plan", "todos"]);
  },
  describe: (value) => describePlan(PlanFile.parse(value).plan.todos),
};

export const templateFile: DocumentKind = {
  schema: Template,
  title: "Miracle template",
  check: (value) => checkTemplate(Template.parse(value)).map((message) => ({ path: [], message })),
  describe: (value) => {
    const { parameters, todos } = Template.parse(value);
    return `${count(Object.keys(parameters).length, "parameter")}, ${describePlan(todos)}`;
  },
};

function todoProblems(todos: Todo[], requirements: Requirement[] | undefined, at: string[]): DocumentProblem[] {
  const ids = requirements?.map((requirement) => requirement.id);
  return checkPlan({ todos }, ids).map(({ todo, message, code }) => {
    const index = todos.findIndex(({ id }) => id === todo);
    return { path: index === -1 ? at : [...at, index], message: `${message} (${code})` };
  });
}

const describePlan = (todos: Todo[]): string =>
  `${count(todos.length, "todo")} in ${count(levelsOf({ todos }).length, "level")}`;

/** For editors and other programs: what config/schemas/ holds and `miracle validate --schema` prints. */
export function documentJsonSchema(name: DocumentName): Record<string, unknown> {
  const { schema, title } = documentKinds[name];
  return { ...z.toJSONSchema(schema, { io: "input" }), title };
}
