import { z } from "zod";

const CONTRACT_FORMAT = "miracle-contract/1";

/*
 * The shapes are made when the first contract is read: most tasks have none, and all would wait for them at their start.
 */

const text = () => z.string().min(1);

/** Types are written as the language writes them: `list[int]`, `Promise<string>`, `[]byte`. */
const parameter = () =>
  z.strictObject({
    name: text(),
    type: text(),
    /** Absent where one must be given. */
    default: z.string().optional(),
    description: z.string().optional(),
  });

/** One call and what it does, both as expressions of the language: it can be run as it stands. */
const contractExample = () =>
  z.strictObject({
    call: text().describe("An expression: parse('a=1')"),
    returns: text().optional().describe("What the call is equal to, as an expression"),
    raises: text().optional().describe("The error it ends with, instead"),
  });

const callable = () => ({
  name: text(),
  description: z.string().default(""),
  parameters: z.array(parameter()).default([]),
  returns: z.string().default("").describe("Empty where nothing is returned"),
  raises: z.array(text()).default([]),
  async: z.boolean().default(false),
  examples: z.array(contractExample()).default([]),
});

const contractFunction = () => z.strictObject({ file: text().describe("Where it is defined"), ...callable() });
export type ContractFunction = z.infer<ReturnType<typeof contractFunction>>;

const field = () =>
  z.strictObject({
    name: text(),
    type: text(),
    required: z.boolean().default(true),
    description: z.string().optional(),
  });

const contractClass = () =>
  z.strictObject({
    file: text(),
    name: text(),
    extends: text().optional(),
    description: z.string().default(""),
    fields: z.array(field()).default([]),
    methods: z.array(z.strictObject(callable())).default([]),
  });

/** Data as it is passed around or stored: a record, a row, a message. */
const contractModel = () =>
  z.strictObject({
    name: text(),
    description: z.string().default(""),
    fields: z.array(field()).min(1),
  });

const contractError = () => z.strictObject({ name: text(), extends: text().optional(), when: text() });

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** An OpenAPI 3 document, as far as it is relied on: every operation says what it answers. */
const openApi = () => {
  const operation = z.looseObject({ responses: z.record(z.string(), z.json()) });
  return z.looseObject({
    openapi: z.string().regex(/^3\.\d+\.\d+$/, "expected an OpenAPI version like 3.1.0"),
    info: z.looseObject({ title: text(), version: text() }),
    paths: z.record(
      z.string().regex(/^\//, "a path begins with /"),
      z.looseObject(Object.fromEntries(METHODS.map((method) => [method, operation.optional()]))),
    ),
  });
};

/** What parts of a program promise each other, before any of them is written. */
export const Contract = z.lazy(() =>
  z.strictObject({
    format: z.literal(CONTRACT_FORMAT).default(CONTRACT_FORMAT),
    title: text(),
    language: z.enum(["python", "javascript", "typescript", "go"]),
    functions: z.array(contractFunction()).default([]),
    classes: z.array(contractClass()).default([]),
    models: z.array(contractModel()).default([]),
    errors: z.array(contractError()).default([]),
    openapi: openApi().optional().describe("For a web API"),
  }),
);
export type Contract = z.infer<typeof Contract>;

/** What is wrong with a contract beyond its form, with the path of each place. */
export function checkContract(contract: Contract): { path: (string | number)[]; message: string }[] {
  const { functions, classes, models, errors, openapi } = contract;
  if (functions.length + classes.length + models.length === 0 && !openapi) {
    return [{ path: [], message: "it promises nothing: give functions, classes, models or openapi" }];
  }
  const lists = { functions, classes, models, errors };
  const problems: { path: (string | number)[]; message: string }[] = [];
  const owner = new Map<string, string>();
  for (const [list, items] of Object.entries(lists)) {
    for (const [index, item] of items.entries()) {
      const key = "file" in item ? `${item.file}: ${item.name}` : item.name;
      const taken = owner.get(key);
      if (taken !== undefined) problems.push({ path: [list, index], message: `${key} is in ${taken} already` });
      owner.set(key, list);
    }
  }
  const calls: [(string | number)[], { name: string; examples: z.infer<ReturnType<typeof contractExample>>[] }][] = [
    ...functions.map((item, index): (typeof calls)[number] => [["functions", index], item]),
    ...classes.flatMap((item, at) =>
      item.methods.map((method, index): (typeof calls)[number] => [["classes", at, "methods", index], method]),
    ),
  ];
  for (const [path, { examples, name }] of calls) {
    for (const [index, { returns, raises }] of examples.entries()) {
      if ((returns === undefined) !== (raises === undefined)) continue;
      problems.push({
        path: [...path, "examples", index],
        message: `an example of ${name} says either what it returns or what it raises`,
      });
    }
  }
  for (const [path, item] of Object.entries(openapi?.paths ?? {})) {
    if (!METHODS.some((method) => item[method] !== undefined)) {
      problems.push({ path: ["openapi", "paths", path], message: `${path} has no operation` });
    }
  }
  return problems;
}
