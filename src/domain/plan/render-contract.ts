import type { Contract } from "./contract.ts";

type Callable = Contract["functions"][number] | Contract["classes"][number]["methods"][number];

interface Rendering {
  /** False where the examples stand elsewhere: in tests. */
  examples?: boolean;
}

/** A contract in few words, for a prompt and for people: one line for each promise, examples below it. */
export function renderContract(contract: Contract, { examples = true }: Rendering = {}): string {
  const { functions, classes, models, errors, openapi } = contract;
  const callableLines = (indent: string, item: Callable) => linesOf(indent, item, examples);
  return [
    ...functions.flatMap((item) => callableLines(`${item.file}: `, item)),
    ...classes.flatMap((item) => [
      `${item.file}: class ${item.name}${item.extends === undefined ? "" : ` extends ${item.extends}`}${said(item.description)}`,
      ...item.fields.map((field) => `  ${fieldText(field)}`),
      ...item.methods.flatMap((method) => callableLines("  ", method)),
    ]),
    ...models.map((item) => `data ${item.name}: ${item.fields.map(fieldText).join(", ")}${said(item.description)}`),
    ...errors.map(({ name, extends: base, when }) => `error ${name}${base === undefined ? "" : ` (${base})`}: ${when}`),
    ...(openapi ? [`OpenAPI: ${JSON.stringify(openapi)}`] : []),
  ].join("\n");
}

function linesOf(indent: string, item: Callable, examples: boolean): string[] {
  const parameters = item.parameters.map(
    ({ name, type, default: given }) => `${name}: ${type}${given === undefined ? "" : ` = ${given}`}`,
  );
  const result = item.returns === "" ? "" : ` -> ${item.returns}`;
  const raises = item.raises.length === 0 ? "" : ` raises ${item.raises.join(", ")}`;
  const head = `${item.async ? "async " : ""}${item.name}(${parameters.join(", ")})${result}${raises}`;
  return [
    `${indent}${head}${said(item.description)}`,
    ...(examples ? item.examples : []).map(({ call, returns, raises: error }) =>
      error === undefined ? `    ${call} == ${returns ?? ""}` : `    ${call} raises ${error}`,
    ),
  ];
}

const fieldText = ({ name, type, required }: { name: string; type: string; required: boolean }): string =>
  `${name}${required ? "" : "?"}: ${type}`;

const said = (description: string): string => (description === "" ? "" : `: ${description}`);
