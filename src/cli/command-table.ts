import type { Command } from "commander";
import type { CommandContext } from "./terminal/command-context.ts";

interface CommandModule {
  /** Adds options and the action. */
  define(command: Command, context: CommandContext): void;
}

interface CommandEntry {
  /** Its heading in the help. */
  group: string;
  summary: string;
  usage: string;
  load: () => Promise<CommandModule>;
}

const under = (group: string, entries: Record<string, Omit<CommandEntry, "group">>): Record<string, CommandEntry> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, { ...entry, group }]));

/** In the order of the help. A new command is one file and one entry. */
export const commands: Record<string, CommandEntry> = {
  ...under("Every day:", {
    run: {
      usage: " [goal...]",
      summary: "work on a goal until the code is proven",
      load: () => import("./commands/run.ts"),
    },
    prove: {
      usage: "",
      summary: "judge a change of a git repository, whoever made it; no model, no key",
      load: () => import("./commands/prove.ts"),
    },
    ask: {
      usage: " [question...]",
      summary: "ask about the code here; answered with files and lines, nothing is changed",
      load: () => import("./commands/ask.ts"),
    },
    plan: {
      usage: " [goal...]",
      summary: "make a plan for a goal and show it, without running it",
      load: () => import("./commands/plan.ts"),
    },
    continue: {
      usage: " [id] [goal...]",
      summary: "a further goal, with what the last task did in mind",
      load: () => import("./commands/continue.ts"),
    },
    demo: {
      usage: "",
      summary: "watch one goal being worked on, with recorded answers; no model, no key",
      load: () => import("./commands/demo.ts"),
    },
  }),
  ...under("While it works:", {
    watch: {
      usage: " [id]",
      summary: "follow a task that another process works on",
      load: () => import("./commands/watch.ts"),
    },
    tell: {
      usage: " [id] [message...]",
      summary: "say something to a task while it works: it becomes one of its requirements",
      load: () => import("./commands/tell.ts"),
    },
    approvals: {
      usage: "",
      summary: "list the questions that wait for an answer",
      load: () => import("./commands/approvals.ts"),
    },
    approve: {
      usage: " <id>",
      summary: "answer a question: yes, or no with --deny",
      load: () => import("./commands/approve.ts"),
    },
    pause: {
      usage: " [id]",
      summary: "ask a running task to stop; it can be resumed",
      load: () => import("./commands/pause.ts"),
    },
    resume: {
      usage: " [id]",
      summary: "go on with a task where it stopped; nothing is paid for twice",
      load: () => import("./commands/resume.ts"),
    },
    cancel: {
      usage: " [id]",
      summary: "end a task for good; what it wrote is taken back",
      load: () => import("./commands/cancel.ts"),
    },
    stop: {
      usage: "",
      summary: "the kill switch: every task stops, and can be resumed",
      load: () => import("./commands/stop.ts"),
    },
  }),
  ...under("What came of it:", {
    show: { usage: " [id]", summary: "show what a task did", load: () => import("./commands/show.ts") },
    diff: {
      usage: " [id] [other]",
      summary: "show the change a task made, or compare two runs",
      load: () => import("./commands/diff.ts"),
    },
    apply: {
      usage: " [id]",
      summary: "write a task's result into its directory",
      load: () => import("./commands/apply.ts"),
    },
    undo: { usage: " [id]", summary: "take an applied result back", load: () => import("./commands/undo.ts") },
    history: { usage: "", summary: "list tasks, newest first", load: () => import("./commands/history.ts") },
    metrics: {
      usage: "",
      summary: "success, cost, time, tests and safety of past tasks, with a plot",
      load: () => import("./commands/metrics.ts"),
    },
    evidence: {
      usage: " [id]",
      summary: "write the evidence of a task as a bundle that anyone can check",
      load: () => import("./commands/evidence.ts"),
    },
    verify: {
      usage: " [source]",
      summary: "check every hash of a task, a cassette or a bundle of evidence",
      load: () => import("./commands/verify.ts"),
    },
  }),
  ...under("Recordings:", {
    export: {
      usage: " [id]",
      summary: "write a task as a cassette that replays anywhere, or as training data",
      load: () => import("./commands/export.ts"),
    },
    replay: {
      usage: " [source]",
      summary: "run a task or cassette again, offline, without a model",
      load: () => import("./commands/replay.ts"),
    },
    fork: {
      usage: " [id]",
      summary: "a new task from a step of another one, with another model or prompt",
      load: () => import("./commands/fork.ts"),
    },
    prune: {
      usage: " [ids...]",
      summary: "delete tasks and what only they need",
      load: () => import("./commands/prune.ts"),
    },
  }),
  ...under("In a browser, for a team:", {
    dashboard: {
      usage: "",
      summary: "open the page of the server in a browser; start the server where none runs",
      load: () => import("./commands/dashboard.ts"),
    },
    serve: {
      usage: "",
      summary: "answer over HTTP: start, follow, stop and approve tasks from elsewhere",
      load: () => import("./commands/serve.ts"),
    },
    token: {
      usage: "",
      summary: "who may use the server: add, list, remove",
      load: () => import("./commands/token.ts"),
    },
    worker: {
      usage: "",
      summary: "work on tasks of the team's queue, on PostgreSQL",
      load: () => import("./commands/worker.ts"),
    },
    queue: {
      usage: "",
      summary: "the team's queue: what waits, who works, dead letters and how to revive them",
      load: () => import("./commands/queue.ts"),
    },
    budget: {
      usage: "",
      summary: "what people and teams may spend in a month, and what they have spent",
      load: () => import("./commands/budget.ts"),
    },
  }),
  ...under("In editors and in other agents:", {
    acp: {
      usage: "",
      summary: "an agent for editors, over ACP: goals, plans and questions in the editor",
      load: () => import("./commands/acp.ts"),
    },
    mcp: {
      usage: "",
      summary: "tools for other agents, over MCP: prove a change, run a goal",
      load: () => import("./commands/mcp.ts"),
    },
  }),
  ...under("This machine and its settings:", {
    doctor: { usage: "", summary: "check what this machine has and lacks", load: () => import("./commands/doctor.ts") },
    config: {
      usage: "",
      summary: "show the settings in force and where each comes from",
      load: () => import("./commands/config.ts"),
    },
    env: {
      usage: "",
      summary: "packages of projects, as run and prove install them: list, show, build, remove",
      load: () => import("./commands/env.ts"),
    },
    memory: {
      usage: "",
      summary: "what past failures and successes taught: list, search, forget, import",
      load: () => import("./commands/memory.ts"),
    },
    templates: {
      usage: " [name]",
      summary: "list the kinds of projects that run --template builds from",
      load: () => import("./commands/templates.ts"),
    },
    completion: {
      usage: "",
      summary: "print the completion script for bash, zsh or fish",
      load: () => import("./commands/completion.ts"),
    },
  }),
  ...under("To try a part of it:", {
    validate: {
      usage: " [file]",
      summary: "check a plan, a contract, a test report or lessons; each mistake is named with its line",
      load: () => import("./commands/validate.ts"),
    },
    sandbox: {
      usage: " <command...>",
      summary: "run a command here as the agent would run it",
      load: () => import("./commands/sandbox.ts"),
    },
    scan: {
      usage: " <paths...>",
      summary: "say what in these files would be refused, and why",
      load: () => import("./commands/scan.ts"),
    },
    "check-command": {
      usage: " <command...>",
      summary: "say whether the agent may run a shell command, and why not",
      load: () => import("./commands/check-command.ts"),
    },
  }),
};
