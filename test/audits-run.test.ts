import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isSummary } from "../src/agents/context/summary-message.ts";
import { tokensOfMessages, tokensOfTools } from "../src/agents/context/tokens.ts";
import { DebuggerResult, ReflectorResult } from "../src/agents/finish.ts";
import { reportOfTask } from "../src/app/report-of-task.ts";
import { RecordedAnswer } from "../src/domain/approval.ts";
import { GatheredEvidence } from "../src/domain/evidence/gathered-evidence.ts";
import { ResultScan } from "../src/domain/evidence/result-scan.ts";
import { Iteration } from "../src/domain/loop/iteration.ts";
import { ReviewFinding, ReviewRuling } from "../src/domain/loop/review.ts";
import { type Message, ModelAnswer, ModelRequest } from "../src/domain/message.ts";
import { BranchTodo } from "../src/domain/plan/branch.ts";
import { Contract } from "../src/domain/plan/contract.ts";
import { Plan } from "../src/domain/plan/plan.ts";
import { Spec } from "../src/domain/plan/spec.ts";
import { roleArtifacts } from "../src/domain/task/role-artifacts.ts";
import type { Step } from "../src/domain/task/step.ts";
import { type Cassette, CassetteRecording } from "../src/journal/cassette.ts";
import { readFrozen } from "../src/journal/journal.ts";
import { unpack } from "../src/journal/pack.ts";
import { testSkeletons } from "../src/verify/contract/test-skeletons.ts";
import { GateRun } from "../src/verify/gate/gate.ts";
import { evidenceOf, shipped } from "./forged-bundle.ts";

/*
 * The run that the audit of the source documents asked for, recorded: `run "Create a CLI tool …" -p cli_tool --review --audit
 * --wait`. What is to be seen in it is named here thing by thing, each with the steps that show it: without those it must
 * not be seen any more.
 */
const whole = shipped("todo-cli.json");

class Reader {
  readonly cassette: Cassette;
  readonly recording: CassetteRecording;

  constructor(cassette: Cassette) {
    this.cassette = cassette;
    this.recording = new CassetteRecording(cassette);
  }

  find(path: RegExp): Step[] {
    return this.cassette.steps.filter((step) => path.test(step.path));
  }

  inputs<T>(path: RegExp, shape: z.ZodType<T>): Promise<T[]> {
    return this.#read(path, shape, ({ inputHash }) => inputHash);
  }

  outputs<T>(path: RegExp, shape: z.ZodType<T>): Promise<T[]> {
    return this.#read(path, shape, ({ outputHash }) => outputHash);
  }

  /** What a role gave to `finish`. */
  async finished<T>(path: RegExp, shape: z.ZodType<T>): Promise<T[]> {
    const answers = await this.outputs(path, ModelAnswer);
    const calls = answers.flatMap(({ toolCalls }) => toolCalls.filter(({ name }) => name === "finish"));
    return calls.map((made) => shape.parse(JSON.parse(made.arguments)));
  }

  #read<T>(path: RegExp, shape: z.ZodType<T>, hashOf: (step: Step) => string): Promise<T[]> {
    return Promise.all(
      this.find(path).map(async (step) => shape.parse(await unpack(hashOf(step), (hash) => this.recording.blob(hash)))),
    );
  }
}

const Planned = z.object({ size: z.string(), spec: Spec, plan: Plan });
const Designed = z.object({ made: z.object({ contract: Contract, design: z.string() }) });
const Reviewed = z.object({ role: z.string(), ruling: ReviewRuling, findings: z.array(ReviewFinding) });
const Branched = z.object({ branch: BranchTodo });
const Gathered = z.object({ evidence: GatheredEvidence });
const Settled = z.object({ iteration: Iteration.optional() });
const Called = z.object({ content: z.string(), ok: z.boolean() });

/** What `show --artifacts` makes of a task: from its last gate and its events, which repeat what these steps hold. */
async function artifactsOf(run: Reader) {
  const planned = await run.inputs(/^task\/plan-made\//, Planned);
  const designed = await run.inputs(/^task\/contract\//, Designed);
  const branches = await run.inputs(/\/branch\/1$/, Branched);
  const settled = await run.outputs(/\/phase\/\d+$/, z.union([Settled, z.null()]));
  const gathered = await run.inputs(/^task\/evidence\//, Gathered);
  const scans = (await run.outputs(/^task\/evidence\//, ResultScan)).at(-1)?.findings ?? null;
  const gate = (await run.outputs(/\/test\/1$/, GateRun)).at(-1);
  const iterations = settled.flatMap((phase) => phase?.iteration ?? []);
  const [{ contract, design } = {}] = designed.map(({ made }) => made);
  const [spec] = planned.map(({ spec }) => spec);
  const told = { task: run.recording.task, number: 0, at: 0, step: "" };
  const files = roleArtifacts({
    task: run.recording.task,
    events: [
      ...planned.map((made) => ({ ...told, type: "plan-made" as const, ...made })),
      ...(contract && design !== undefined ? [{ ...told, type: "contract-made" as const, contract, design }] : []),
      ...iterations.map((iteration) => ({ ...told, type: "iteration-settled" as const, iteration })),
      ...branches.map(({ branch }) => ({ ...told, type: "todo-branched" as const, branch })),
      ...gathered.map(({ evidence }) => ({
        ...told,
        type: "evidence-gathered" as const,
        evidence: { ...evidence, scans },
      })),
    ],
    report: await reportOfTask({ recording: async () => run.recording }, { id: run.recording.task }).catch(() => null),
    gate: gate ? { checks: gate.checks ?? [], accept: gate.accept } : null,
    skeletons: contract && spec ? testSkeletons(contract, spec.requirements, spec.language) : "",
  });
  return new Map(files.map(({ path, content }) => [path, content]));
}

const artifact = async (run: Reader, path: string): Promise<unknown> => {
  const text = (await artifactsOf(run)).get(path) ?? "null";
  return path.endsWith(".json") ? JSON.parse(text) : text;
};

const textOf = (message: Message | undefined): string => {
  if (message?.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
};

interface Shown {
  /** The steps that show it. */
  by: RegExp;
  see(run: Reader): Promise<void>;
}

const REVIEW_OF_CORE = /^todo:core\/(iteration:1\/reviewer|reviewed\/1)/;
const SUMMARY = /^todo:command\/iteration:1\/code-summary\//;
const AFTER_SUMMARY = /^todo:command\/iteration:1\/code\/8$/;

const SHOWN: Record<string, Shown> = {
  "what the template demands is in the plan, under its ids, and proven": {
    by: /^task\/plan-made\//,
    async see(run) {
      const { request } = await readFrozen(run.recording);
      expect(request.words).toBe("Create a CLI tool for managing TODO items stored in JSON");
      const demanded = request.demands?.map(({ id }) => id);
      expect(demanded).toEqual(["R1", "R2", "R3", "R4"]);
      const [planned] = await run.inputs(/^task\/plan-made\//, Planned);
      expect(planned?.spec.requirements.map(({ id }) => id)).toEqual(expect.arrayContaining(demanded ?? []));
      const { document } = await evidenceOf(run.cassette);
      expect(new Set(document.requirements.map(({ support }) => support))).toEqual(new Set(["red-to-green"]));
    },
  },
  "a file outside of the workspace is asked for, a person allows it, and the plan goes by what it says": {
    by: /^task\/plan\/approval\//,
    async see(run) {
      const [answer] = await run.outputs(/^task\/plan\/approval\//, RecordedAnswer);
      expect(answer).toMatchObject({ granted: true, request: { subject: "outside" } });
      expect(answer?.by).not.toMatch(/policy|nobody/);
      expect(answer?.request.question).toMatch(/^read \/.*, which is not part of the workspace$/);
      const read = await run.outputs(/^task\/plan\/read_file\//, Called);
      expect(read.map(({ ok }) => ok)).toEqual([false, true]);
      expect(read[1]?.content).toContain("a reader that closes the pipe early is no error");
      const [planned] = await run.inputs(/^task\/plan-made\//, Planned);
      expect(planned?.spec.requirements.find(({ id }) => id === "R11")?.text).toContain("closes it before everything");
    },
  },
  "a contract and a design page are written, and their examples are tests": {
    by: /^task\/(contract|contract-examples)\//,
    async see(run) {
      const contract = z.object({ functions: z.array(z.object({ name: z.string() })) });
      const { functions } = contract.parse(await artifact(run, "contract.json"));
      expect(functions.map(({ name }) => name)).toContain("remove_item");
      expect(await artifact(run, "design.md")).toContain("`todo_store.py`");
      expect(await artifact(run, "test_skeletons.txt")).toContain("def test_remove_item");
      expect(run.find(/^task\/contract-examples\//)).toHaveLength(1);
    },
  },
  "the reviewer sends a change back, and it is mended before it is tested": {
    by: REVIEW_OF_CORE,
    async see(run) {
      const [first] = await run.inputs(/^todo:core\/reviewed\/1$/, Reviewed);
      expect(first).toMatchObject({ role: "reviewer", ruling: "rejected" });
      expect(run.find(REVIEW_OF_CORE).map(({ path }) => path)).toContain("todo:core/iteration:1/reviewer/1");
      expect(run.find(/^todo:core\/iteration:\d\/test\//).map(({ path }) => path)).toEqual([
        "todo:core/iteration:2/test/1",
      ]);
    },
  },
  "what the review found is learnt": {
    by: /^todo:core\/iteration:1\/learn\//,
    async see(run) {
      const Learnt = z.array(z.object({ kind: z.string(), isNew: z.boolean() }));
      const learnt = (await run.outputs(/^todo:core\/iteration:1\/learn\//, Learnt)).flat();
      expect(learnt).toMatchObject([{ kind: "lesson", isNew: true }]);
    },
  },
  "the auditor reads the change, too, and names a weakness by its CWE": {
    by: /^todo:command\/(iteration:1\/auditor|reviewed\/2)/,
    async see(run) {
      const [audit] = await run.inputs(/^todo:command\/reviewed\/2$/, Reviewed);
      expect(audit).toMatchObject({ role: "auditor", ruling: "approved", findings: [{ cwe: "CWE-150" }] });
    },
  },
  "old turns of the coder become a summary of a model's, beside what stays word for word": {
    by: SUMMARY,
    async see(run) {
      const { settings } = await readFrozen(run.recording);
      const [asked] = await run.inputs(SUMMARY, ModelRequest);
      const [answered] = await run.outputs(SUMMARY, ModelAnswer);
      const [next] = await run.inputs(AFTER_SUMMARY, ModelRequest);
      expect(asked).toMatchObject({ role: "coder", purpose: "summary", tools: [] });
      const summary = next?.messages.find(isSummary);
      const said = textOf(summary);
      expect(said).toContain(answered?.text);
      expect(said).toContain("written: todo.py");
      expect(said).toContain("AssertionError: assert (-13, '') == (0, '')");
      const before = await run.outputs(/^todo:command\/iteration:1\/code\/[1-4]$/, ModelAnswer);
      expect(before).toHaveLength(4);
      for (const { text } of before) expect(said).toContain(text);
      const briefed = await run.inputs(/^todo:command\/iteration:1\/code\/1$/, ModelRequest);
      expect(next?.messages.slice(0, 2)).toEqual(briefed[0]?.messages.slice(0, 2));
      const tokens = tokensOfMessages(next?.messages ?? []) + tokensOfTools(next?.tools ?? []);
      expect(tokens + (next?.parameters.maxOutputTokens ?? 0)).toBeLessThan(settings.windows?.["local/small"] ?? 0);
    },
  },
  "a reflector cannot tell why a todo is red, so a debugger runs it": {
    by: /^todo:command(\/debug\/debug|\/iteration:1\/reflect)\//,
    async see(run) {
      const [reflection] = await run.finished(/^todo:command\/iteration:1\/reflect\//, ReflectorResult);
      expect(reflection?.next).toBe("debug");
      const tried = await run.outputs(/^todo:command\/debug\/debug\/run_command\//, Called);
      expect(tried.map(({ ok }) => ok)).toEqual([false, true]);
      // The first experiment was not allowed to run.
      expect(tried[0]?.content).toMatch(/^not run:/);
      expect(tried[1]?.content).toContain("raised again: the text is still in the buffer");
      const [found] = await run.finished(/^todo:command\/debug\/debug\/3$/, DebuggerResult);
      expect(found?.cause).toBe("implementation_bug");
    },
  },
  "the todo has a branch todo, with the documents' fields, in the plan's document": {
    by: /^todo:command\/debug\/branch\//,
    async see(run) {
      const List = z.object({ todos: z.array(z.looseObject({ id: z.string(), parent_id: z.string().nullish() })) });
      const { todos } = List.parse(await artifact(run, "todo_list.json"));
      expect(todos.map(({ id }) => id)).toEqual(["core", "command", "command-debug"]);
      expect(todos.at(-1)).toMatchObject({
        parent_id: "command",
        agent_role: "debugger",
        branch_reason: "implementation_bug",
        debug_instructions: expect.stringContaining("os.dup2"),
        is_temporary: true,
        max_debug_attempts: 3,
      });
    },
  },
  "the branch is worked on against its parent's tests, and when it is green, so is its parent": {
    by: /^todo:command\/debug\/(branch-settled|iteration:1)\//,
    async see(run) {
      const [red] = await run.outputs(/^todo:command\/iteration:1\/test\//, GateRun);
      const [green] = await run.outputs(/^todo:command\/debug\/iteration:1\/test\//, GateRun);
      const outcomes = (gate: GateRun | undefined) => gate?.report?.tests.map(({ id, outcome }) => `${id} ${outcome}`);
      const gone = "test_command.py::test_reader_that_is_gone";
      expect(outcomes(red)).toContain(`${gone} failed`);
      expect(outcomes(green)).toContain(`${gone} passed`);
      const Ended = z.object({ branch: z.string(), ok: z.boolean() });
      expect(await run.inputs(/\/branch-settled\//, Ended)).toMatchObject([{ branch: "command-debug", ok: true }]);
    },
  },
  "the failure report tells the red iteration and the debugger's diagnosis": {
    by: /^todo:command\/debug\/branch\//,
    async see(run) {
      const report = await artifact(run, "failure_report.json");
      expect(report).toMatchObject({
        iterations: [{ outcome: "blocked" }, { outcome: "red" }],
        diagnoses: [{ parent_id: "command", title: expect.stringContaining("buffer of sys.stdout") }],
      });
    },
  },
  "the new project is linted, and the build report says so": {
    by: /\/test\/1$/,
    async see(run) {
      expect((await readFrozen(run.recording)).settings.checks).toBe("language");
      const checks = [{ command: "python3 -W error -m compileall -q .", passed: true, fresh: [] }];
      expect(await artifact(run, "build_report.json")).toMatchObject({ checks });
    },
  },
  "the result is scanned, and the build report says what was found": {
    by: /^task\/evidence\//,
    async see(run) {
      const Scan = z.object({ scan: z.object({ findings: z.array(z.object({ blocking: z.boolean() })) }) });
      const { scan } = Scan.parse(await artifact(run, "build_report.json"));
      expect(scan.findings.filter(({ blocking }) => blocking)).toEqual([]);
    },
  },
  "the test report says where the tests ran, and what they covered": {
    by: /^task\/(mutants|tools)\//,
    async see(run) {
      const report = await artifact(run, "test_report.json");
      expect(report).toMatchObject({
        environment: { versions: { pytest: expect.any(String) }, sandbox: "bubblewrap" },
      });
      const covered = z.object({ files: z.array(z.object({ available: z.boolean() })) });
      expect(covered.parse(await artifact(run, "coverage.json")).files.length).toBeGreaterThan(0);
    },
  },
  "unseen tests prove it, and mutants show that they can fail": {
    by: /^task\/(held-out|mutants)\//,
    async see(run) {
      const unseen = await run.outputs(/^task\/held-out\//, z.array(z.object({ outcome: z.string() })));
      expect(new Set(unseen.flat().map(({ outcome }) => outcome))).toEqual(new Set(["passed"]));
      const Counted = z.object({ mutants: z.object({ counts: z.object({ killed: z.int() }) }) });
      const [measured] = await run.outputs(/^task\/mutants\//, Counted);
      expect(measured?.mutants.counts.killed).toBeGreaterThan(0);
    },
  },
};

describe("the audit's own run", () => {
  for (const [name, { by, see }] of Object.entries(SHOWN)) {
    test(name, async () => {
      await see(new Reader(whole));
      const without = { ...whole, steps: whole.steps.filter(({ path }) => !by.test(path)) };
      expect(without.steps.length).toBeLessThan(whole.steps.length);
      await expect(see(new Reader(without)), "seen without the steps that show it").rejects.toThrow();
    });
  }

  test("limits of branches, time and silence are frozen with it", async () => {
    const { settings } = await readFrozen(new CassetteRecording(whole));
    expect(settings).toMatchObject({ review: true, audit: true, limits: { branchDepth: 2, debugAttempts: 3 } });
    expect(settings.limits.timeoutMs).toBeGreaterThan(0);
    expect(settings.limits.silenceMs).toBeGreaterThan(0);
  });
});
