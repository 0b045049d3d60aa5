import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fail } from "../../domain/failure.ts";
import { checkPlan } from "../../domain/plan/check-plan.ts";
import { PlanFile } from "../../domain/plan/plan-file.ts";

/** The plan of `run --plan FILE`, YAML or JSON. Every problem is told at once, each with its line. */
export async function readPlan(file: string, directory: string): Promise<PlanFile> {
  const { parseYamlAs } = await import("../../config/parse-yaml.ts");
  const { value, lineOf } = parseYamlAs(PlanFile, read(resolve(directory, file), file), file);
  const problems = checkPlan(
    value.plan,
    value.spec.requirements.map(({ id }) => id),
  ).map(({ todo, message }) => {
    const index = value.plan.todos.findLastIndex(({ id }) => id === todo);
    const line = lineOf(index < 0 ? ["plan", "todos"] : ["plan", "todos", index]);
    return `${file}${line === undefined ? "" : `:${line}`}: ${message}`;
  });
  const [first, ...others] = problems;
  if (first === undefined) return value;
  throw fail("invalid-input", "plan.invalid", first, others.length > 0 ? { detail: others.join("\n") } : {});
}

function read(place: string, file: string): string {
  try {
    return readFileSync(place, "utf8");
  } catch (cause) {
    throw fail(
      "invalid-input",
      "plan.unreadable",
      `${file} cannot be read; \`miracle plan "…" -o ${file}\` makes one`,
      {
        cause,
      },
    );
  }
}
