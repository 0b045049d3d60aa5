import { z } from "zod";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { plainJson } from "../../domain/json.ts";
import type { ToolSchema } from "../../domain/message.ts";
import type { CommandResult } from "../../sandbox/sandbox.ts";
import type { ScopedFiles } from "../../workspace/scoped-files.ts";

/** What a tool may use: the task's checkout, and what a person allowed. */
export interface ToolContext {
  files: ScopedFiles;
  /** Where this is read: the checkout, or a place outside of it. Throws where a person must be asked first. */
  reading(path: string): { files: ScopedFiles; path: string };
  runCommand(line: string, timeoutMs: number | undefined): Promise<CommandResult>;
  /** `goOn`: there is more to do, even if all of them pass. */
  runTests(files: string[], goOn: boolean): Promise<TestReport>;
  /** Puts a package into the manifest and installs it. Returns what was done. */
  addDependency(name: string, version: string, why: string): Promise<string>;
}

/** One tool of a role. It returns the text for the model: limited in length, normalised. */
export interface Tool<Arguments = unknown> {
  readonly name: string;
  readonly description: string;
  readonly arguments: z.ZodType<Arguments>;
  /** True if the tool may change files. */
  readonly writes: boolean;
  /** One short line for people: the path, the command, the pattern. */
  subject(args: Arguments): string;
  run(args: Arguments, context: ToolContext): Promise<string>;
}

/** Keeps each tool's argument type inside it, so that tools of different arguments fit one list. */
export function defineTool<Arguments>(tool: Tool<Arguments>): AnyTool {
  return {
    name: tool.name,
    writes: tool.writes,
    schema: () => ({ name: tool.name, description: tool.description, parameters: parametersOf(tool.arguments) }),
    prepare(raw) {
      const parsed = tool.arguments.safeParse(raw);
      if (!parsed.success) return { problem: z.prettifyError(parsed.error) };
      return { subject: tool.subject(parsed.data), run: (context) => tool.run(parsed.data, context) };
    },
  };
}

export interface AnyTool {
  readonly name: string;
  readonly writes: boolean;
  schema(): ToolSchema;
  prepare(raw: unknown): { problem: string } | { subject: string; run(context: ToolContext): Promise<string> };
}

/**
 * Short on purpose, because every byte is in every request. The keys are in the order in which a resumed task reads
 * them back.
 */
export function parametersOf(schema: z.ZodType): ToolSchema["parameters"] {
  const {
    $schema: _,
    additionalProperties: __,
    ...rest
  } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) =>
      Object.assign(
        jsonSchema,
        unsaid,
        jsonSchema.additionalProperties === false && { additionalProperties: undefined },
      ),
  });
  return z.record(z.string(), z.json()).parse(plainJson(rest));
}

/** Left out for the model. We check these rules anyway. */
const unsaid = {
  default: undefined,
  minimum: undefined,
  maximum: undefined,
  exclusiveMinimum: undefined,
  minLength: undefined,
  minItems: undefined,
  maxLength: undefined,
  pattern: undefined,
  propertyNames: undefined,
};
