import { z } from "zod";
import { fail } from "../domain/failure.ts";
import { Json } from "../domain/json.ts";
import type { ModelAnswer, ModelRequest } from "../domain/message.ts";
import { jsonValuesIn } from "./json-in-text.ts";

/** What a structured answer is called and what it must be. */
export interface StructuredOutput<T> {
  name: string;
  schema: z.ZodType<T>;
}

/**
 * One JSON value of the schema. `ask` makes one model call, as one step of the journal; it is called once, and once more
 * with the errors when the first answer does not fit. Throws `model.invalid-output` when the second does not fit either.
 */
export async function completeStructured<T>(
  ask: (request: ModelRequest) => Promise<ModelAnswer>,
  request: ModelRequest,
  output: StructuredOutput<T>,
): Promise<T> {
  const first = structuredRequest(request, output);
  const answer = await ask(first);
  const read = readStructured(answer.text, output.schema);
  if (read.ok) return read.value;
  const repaired = await ask(repairRequest(first, answer, read.problem));
  const again = readStructured(repaired.text, output.schema);
  if (again.ok) return again.value;
  throw fail(
    "invalid-input",
    "model.invalid-output",
    `${repaired.model} gave no valid ${output.name} for the ${request.role}, also after one correction: ${again.problem}`,
    { detail: repaired.text.slice(0, 2000) },
  );
}

export function structuredRequest<T>(request: ModelRequest, { name, schema }: StructuredOutput<T>): ModelRequest {
  return {
    ...request,
    output: { name, schema: z.record(z.string(), Json).parse(z.toJSONSchema(schema, { io: "input" })) },
  };
}

export type StructuredRead<T> = { ok: true; value: T } | { ok: false; problem: string };

/** The first JSON value in a text that fits the schema, or what is wrong with the first one there is. */
export function readStructured<T>(text: string, schema: z.ZodType<T>): StructuredRead<T> {
  let problem = "there is no JSON value in the answer";
  let isFirst = true;
  for (const candidate of jsonValuesIn(text)) {
    const result = schema.safeParse(candidate);
    if (result.success) return { ok: true, value: result.data };
    if (isFirst) problem = describe(result.error);
    isFirst = false;
  }
  return { ok: false, problem };
}

/** The turn that shows a model its mistake. */
export function repairRequest(request: ModelRequest, answer: ModelAnswer, problem: string): ModelRequest {
  const length = answer.finish === "length" ? " The answer was cut off because it was too long: be shorter." : "";
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: "assistant", content: answer.text === "" ? "(nothing)" : answer.text, toolCalls: [] },
      {
        role: "user",
        content: [
          {
            type: "text",
            text: `This is not valid: ${problem}.${length} Answer again with the corrected JSON value only.`,
          },
        ],
      },
    ],
  };
}

const MAX_ISSUES = 8;

function describe(error: z.ZodError): string {
  const issues = error.issues.slice(0, MAX_ISSUES).map((issue) => {
    const path = issue.path.map(String).join(".");
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  const more = error.issues.length - issues.length;
  return issues.join("; ") + (more > 0 ? `; and ${more} more` : "");
}
