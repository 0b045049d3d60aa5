import type { Condition, Metric, Todo } from "./plan.ts";
import type { PlanFile } from "./plan-file.ts";

/** Turns a condition into a command that succeeds if the condition holds. */
export function conditionCommand(condition: Condition): string {
  if ("command" in condition) return condition.command;
  if ("exists" in condition) return `test -e ${quoted(condition.exists)}`;
  return `test ! -e ${quoted(condition.absent)}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const NUMBER = "^[-+]?[0-9]*[.]?[0-9]+([eE][-+]?[0-9]+)?$";

/** Turns a metric into a command that says the figure, and succeeds if it is one and within its bounds. */
export function metricCommand({ name, command, atMost, atLeast }: Metric): string {
  const bounds = [
    ...(atLeast === undefined ? [] : [`>= ${atLeast}`]),
    ...(atMost === undefined ? [] : [`<= ${atMost}`]),
  ];
  const within = bounds.map((bound) => `$figure ${bound}`).join(" && ");
  const said = `printf '%s: %s, must be %s\\n' ${quoted(name)} "$figure" ${quoted(bounds.join(" and "))}`;
  return `figure=$(${command}) && ${said} && [[ $figure =~ ${NUMBER} ]] && awk "BEGIN { exit !(${within}) }"`;
}

/** Commands that must succeed in the todo's own tree when it is done, in addition to its tests. */
export const acceptanceOf = ({ acceptance, postconditions = [], metrics = [] }: Todo): string[] => [
  ...acceptance,
  ...postconditions.map(conditionCommand),
  ...metrics.map(metricCommand),
];

/** The commands of a plan that a person gave: they chose to have them run. */
export const commandsOf = ({ spec, plan }: PlanFile): string[] => [
  ...spec.accept,
  ...plan.todos.flatMap((todo) => [...acceptanceOf(todo), ...(todo.preconditions ?? []).map(conditionCommand)]),
];
