import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { trajectoryOfTask } from "../src/app/trajectory-of-task.ts";
import { runCommandLine } from "../src/cli/command-line.ts";
import { ModelAnswer } from "../src/domain/message.ts";
import { CassetteRecording, parseCassette } from "../src/journal/cassette.ts";
import { unpack } from "../src/journal/pack.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { temporaryDirectory } from "./temporary.ts";

const cassettes = join(import.meta.dirname, "../cassettes");
const names = readdirSync(cassettes).filter((name) => name.endsWith(".json"));
const load = (name: string) => parseCassette(readFileSync(join(cassettes, name), "utf8"), name);

/* The fields of ATIF-v1.7 that we write, as its specification has them: nothing else is allowed. */
const Extra = z.record(z.string(), z.unknown());
const Result = z.strictObject({
  source_call_id: z.string().optional(),
  content: z.string().optional(),
  subagent_trajectory_ref: z.array(z.strictObject({ trajectory_id: z.string() })).optional(),
});
const Call = z.strictObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  extra: Extra.optional(),
});
const said = {
  step_id: z.int().positive(),
  timestamp: z.iso.datetime(),
  message: z.string(),
  observation: z.strictObject({ results: z.array(Result) }).optional(),
  extra: Extra.optional(),
};
const Step = z.discriminatedUnion("source", [
  z.strictObject({ ...said, source: z.enum(["system", "user"]) }),
  z.strictObject({
    ...said,
    source: z.literal("agent"),
    model_name: z.string(),
    tool_calls: z.array(Call).optional(),
    metrics: z.strictObject({
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      cached_tokens: z.int(),
      cost_usd: z.number().optional(),
      extra: Extra.optional(),
    }),
    llm_call_count: z.literal(1),
  }),
]);
const whole = {
  schema_version: z.literal("ATIF-v1.7"),
  session_id: z.string(),
  trajectory_id: z.string(),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().optional(),
    tool_definitions: z
      .array(z.strictObject({ type: z.literal("function"), function: z.looseObject({ name: z.string() }) }))
      .optional(),
    extra: Extra.optional(),
  }),
  steps: z.array(Step).min(1),
  notes: z.string().optional(),
  final_metrics: z.strictObject({
    total_prompt_tokens: z.int(),
    total_completion_tokens: z.int(),
    total_cached_tokens: z.int(),
    total_cost_usd: z.number().optional(),
    total_steps: z.int(),
  }),
  extra: Extra.optional(),
};
const Part = z.strictObject(whole);
const Trajectory = z.strictObject({ ...whole, subagent_trajectories: z.array(Part) });

const agentSteps = ({ steps }: z.infer<typeof Part>) => steps.filter((step) => step.source === "agent");

/** What a file of the format must hold beyond its fields. */
function checkPart({ steps, final_metrics: totals }: z.infer<typeof Part>): void {
  expect(steps.map(({ step_id }) => step_id)).toEqual(steps.map((_, index) => index + 1));
  expect(totals.total_steps).toBe(steps.length);
  for (const step of steps) {
    const made = step.source === "agent" ? (step.tool_calls ?? []) : [];
    const answered = (step.observation?.results ?? []).flatMap(({ source_call_id: id }) => id ?? []);
    expect(made.map(({ tool_call_id }) => tool_call_id)).toEqual(expect.arrayContaining(answered));
  }
}

test.each(names)(
  "the trajectory of %s holds as the format wants it, with every call and every result",
  async (name) => {
    const recording = new CassetteRecording(load(name));
    const trajectory = Trajectory.parse(await trajectoryOfTask(recording, "1.2.3"));
    const parts = trajectory.subagent_trajectories;
    for (const part of [trajectory, ...parts]) checkPart(part);
    const named = trajectory.steps.flatMap(({ observation }) =>
      (observation?.results ?? []).flatMap(({ subagent_trajectory_ref: refs }) => refs ?? []),
    );
    expect(named.map(({ trajectory_id }) => trajectory_id)).toEqual(parts.map(({ trajectory_id }) => trajectory_id));
    expect(trajectory.steps.at(-1)?.message).toBe("proven");

    const models = load(name).steps.filter(({ kind }) => kind === "model");
    const answers = await Promise.all(
      models.map(async ({ outputHash }) => ModelAnswer.parse(await unpack(outputHash, (hash) => recording.blob(hash)))),
    );
    const told = parts.flatMap(agentSteps);
    expect(told).toHaveLength(answers.length);
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
    expect(trajectory.final_metrics.total_prompt_tokens).toBe(sum(answers.map(({ usage }) => usage.inputTokens)));
    expect(sum(told.map(({ metrics }) => metrics.completion_tokens))).toBe(
      sum(answers.map(({ usage }) => usage.outputTokens)),
    );
    // What the model went on from is there: each call but those that ended its conversation has a result.
    for (const part of parts) {
      for (const step of agentSteps(part).slice(0, -1)) {
        const answered = new Set(step.observation?.results.map(({ source_call_id: id }) => id));
        expect((step.tool_calls ?? []).filter(({ tool_call_id: id }) => !answered.has(id))).toEqual([]);
      }
    }
  },
);

test("each conversation of a role is told from its prompt to its end, in its order", async () => {
  const { subagent_trajectories: parts } = Trajectory.parse(
    await trajectoryOfTask(new CassetteRecording(load("demo.json")), "1.2.3"),
  );
  expect(parts.map(({ agent }) => agent.name)).toEqual([
    "miracle planner",
    "miracle tester",
    "miracle coder",
    "miracle reflector",
    "miracle coder",
    "miracle tester",
  ]);
  const [, , coder] = parts;
  expect(coder?.steps.slice(0, 2).map(({ source }) => source)).toEqual(["system", "user"]);
  expect(coder?.agent.tool_definitions?.map(({ function: { name } }) => name)).toContain("create_file");
});

test("export --format atif reads a task's recording or a cassette's file", async () => {
  const home = temporaryDirectory("miracle-atif-");
  const terminal = fakeTerminal({ directory: cassettes, home, env: { MIRACLE_HOME: home, PATH: "/usr/bin:/bin" } });
  const exit = await runCommandLine(["export", "--format", "atif", "demo.json"], terminal);
  expect(exit, terminal.errors()).toBe(0);
  expect(Trajectory.parse(JSON.parse(terminal.outputs())).session_id).toBe(load("demo.json").task);
});
