import { z } from "zod";
import { isRed } from "../../domain/evidence/test-report.ts";
import { TestReportDocument } from "../../domain/evidence/test-report-document.ts";
import { checkPlan } from "../../domain/plan/check-plan.ts";
import { Contract, checkContract } from "../../domain/plan/contract.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import { levelsOf } from "../../domain/plan/plan-graph.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import { checkTemplate, Template } from "../../domain/plan/template.ts";
import { planFrom, WrittenPlan } from "../../domain/plan/written-plan.ts";
import { count } from "../text/amounts.ts";

/** Something wrong in a file, at the value of this path. */
interface DocumentProblem {
  path: (string | number)[];
  message: string;
}

/** A document that people and programs exchange with Miracle. */
export interface DocumentKind {
  schema: z.ZodType;
  title: string;
  /** What the schema cannot say: graphs, names, references. */
  check(value: unknown): DocumentProblem[];
  /** What it is, in a few words, once it holds. */
  describe(value: unknown): string;
}

export type DocumentName = "plan" | "contract" | "report";

export const documentKinds: Record<DocumentName, DocumentKind> = {
  plan: {
    schema: WrittenPlan,
    title: "Miracle plan",
    check: (value) => {
      const written = WrittenPlan.parse(value);
      const { plan, spec } = planFrom(written);
      const ids = spec.requirements.map(({ id }) => id);
      const problems = checkPlan(plan, ids).map(({ todo, message, code }) => {
        const index = written.todos.findLastIndex(({ id }) => id === todo);
        return { path: index === -1 ? ["todos"] : ["todos", index], message: `${message} (${code})` };
      });
      return [...problems, ...contractProblems(spec)];
    },
    describe: (value) => describePlan(planFrom(WrittenPlan.parse(value)).plan.todos),
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

export const templateFile: DocumentKind = {
  schema: Template,
  title: "Miracle template",
  check: (value) => checkTemplate(Template.parse(value)).map((message) => ({ path: [], message })),
  describe: (value) => {
    const { parameters, todos } = Template.parse(value);
    return `${count(Object.keys(parameters).length, "parameter")}, ${describePlan(todos)}`;
  },
};

function contractProblems({ contract, language }: Spec): DocumentProblem[] {
  if (!contract) return [];
  const problems = checkContract(contract).map(({ path, message }) => ({ path: ["contract", ...path], message }));
  const other = { path: ["contract", "language"], message: `the language of the plan is ${language}` };
  return contract.language === language ? problems : [...problems, other];
}

const describePlan = (todos: Todo[]): string =>
  `${count(todos.length, "todo")} in ${count(levelsOf({ todos }).length, "level")}`;

/** For editors and other programs: what config/schemas/ holds and `miracle validate --schema` prints. */
export function documentJsonSchema(name: DocumentName): Record<string, unknown> {
  const { schema, title } = documentKinds[name];
  return { ...z.toJSONSchema(schema, { io: "input" }), title };
}
