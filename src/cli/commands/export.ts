import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { cassetteOfTask } from "../../app/cassette-of-task.ts";
import { fail } from "../../domain/failure.ts";
import { cannotWrite } from "../task/cannot-write.ts";
import { openTask } from "../task/open-task.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { say } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { count } from "../text/amounts.ts";
import { printable } from "../text/printable.ts";
import { version } from "../text/version.ts";

interface Flags {
  last?: boolean;
  output?: string;
  force?: boolean;
  format: "cassette" | "atif" | "sft" | "dpo" | "artifacts";
  all?: boolean;
  licences?: string;
}

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory, or of all where it has none")
    .option("-o, --output <file>", "write here; default: stdout")
    .option("-f, --force", "write over an existing file")
    .addOption(
      new Option(
        "--format <format>",
        "a cassette, a trajectory (ATIF), examples to train a model with, or what roles made beside the code",
      )
        .choices(["cassette", "atif", "sft", "dpo", "artifacts"])
        .default("cassette"),
    )
    .option("--all", "with sft or dpo: every task, oldest first")
    .option(
      "--licences <names>",
      "with sft or dpo: SPDX names of licences to learn from; `none` for projects that name none, `any` for all (default: permissive ones)",
    )
    .addHelpText("after", HELP)
    .action(async (id: string | undefined, flags: Flags) => {
      if (flags.format === "artifacts") return exportArtifacts(terminal, id, flags);
      if (flags.format === "atif") return exportTrajectory(terminal, id, flags);
      if (flags.format !== "cassette") {
        const { exportTraining } = await import("../task/export-training.ts");
        return exportTraining(terminal, id, { ...flags, format: flags.format });
      }
      if (flags.all || flags.licences !== undefined) throw onlyForTraining();
      if (flags.output === undefined && terminal.output.isTTY) throw notForReading();
      await using opened = await openTask(terminal, id, flags);
      const { task } = opened;
      const { cassette, leftOut } = await cassetteOfTask(opened.app, task, opened.config.secrets);
      for (const { tree, file } of leftOut) {
        say(terminal, `warning: tree ${tree} is left out, because ${file} holds a secret`);
      }
      const text = `${JSON.stringify(cassette)}\n`;
      if (flags.output === undefined) {
        terminal.output.write(text);
        return;
      }
      writeNew(resolve(terminal.directory, flags.output), flags.output, text, flags.force === true);
      terminal.error.write(`${flags.output}: task ${task.id}, ${count(cassette.steps.length, "step")}\n`);
    });
}

async function exportArtifacts(terminal: Terminal, id: string | undefined, flags: Flags): Promise<void> {
  if (flags.output === undefined) {
    throw fail("invalid-input", "cli.usage", "artifacts are several files: name a directory with -o");
  }
  const [{ artifactsOfTask }, { writeArtifacts }] = await Promise.all([
    import("../../app/artifacts-of-task.ts"),
    import("../task/write-artifacts.ts"),
  ]);
  await using opened = await openTask(terminal, id, flags);
  const artifacts = await artifactsOfTask(opened.app, opened.task);
  writeArtifacts(artifacts, resolve(terminal.directory, flags.output), flags.force === true);
  for (const { path } of artifacts) terminal.output.write(`${printable(join(flags.output, path))}\n`);
}

async function exportTrajectory(terminal: Terminal, source: string | undefined, flags: Flags): Promise<void> {
  if (flags.all || flags.licences !== undefined) throw onlyForTraining();
  const [{ trajectoryOfTask }, { openApp }, { openRecording }] = await Promise.all([
    import("../../app/trajectory-of-task.ts"),
    import("../task/open-app.ts"),
    import("../task/open-recording.ts"),
  ]);
  await using opened = await openApp(terminal, terminal.directory);
  const recording = await openRecording(opened.app, source, flags, terminal.directory);
  const trajectory = await trajectoryOfTask(recording, version());
  const text = `${JSON.stringify(trajectory, null, 2)}\n`;
  if (flags.output === undefined) {
    terminal.output.write(text);
    return;
  }
  writeNew(resolve(terminal.directory, flags.output), flags.output, text, flags.force === true);
  const conversations = count(trajectory.subagent_trajectories?.length ?? 0, "conversation");
  terminal.error.write(`${flags.output}: task ${recording.task}, ${conversations}\n`);
}

const onlyForTraining = () =>
  fail("invalid-input", "cli.conflict", "--all and --licences are for training data: add --format sft or --format dpo");

const HELP = `
A cassette holds every prompt, answer and tool output of the task, secrets redacted. It replays on any machine.

A trajectory is the same in the Agent Trajectory Interchange Format (ATIF-v1.7), for tools that read runs of any agent: each
conversation of a role with its tools, their results, tokens and cost. The source may be a cassette's file.

Training data are JSON lines, from tasks that ended proven or checked; the source may be a cassette's file.
  sft  one line for each todo: { messages, tools, metadata }, the conversation in which the coder turned it green
  dpo  one line for each red iteration of a todo that turned green: { prompt, chosen, rejected, metadata }, where chosen
       is the change that was green and rejected the one that was red, both as diffs
Left out, and named on stderr: code under other licences, anything that looks like a secret, duplicates. The same
tasks give the same bytes. Check yourself whether the model's provider allows
training with its answers.

Artifacts are files in the directory of -o: todo_list.json, contract.json, design.md, test_skeletons.txt, build_report.json,
test_report.json, coverage.json, failure_report.json, escalation.json; those that the task has.

Examples:
  miracle export --last -o task.json
  miracle export --last --format atif -o trajectory.json
  miracle export --last --format artifacts -o made
  miracle export --format sft --all -o examples.jsonl
  miracle export --format dpo cassettes/demo.json
  miracle export --format sft --last --licences MIT,none`;

const notForReading = () =>
  fail(
    "invalid-input",
    "export.terminal",
    "a cassette is not for reading: name a file with -o, or send it into a pipe",
  );

function writeNew(file: string, name: string, text: string, force: boolean): void {
  try {
    writeFileSync(file, text, { flag: force ? "w" : "wx", mode: 0o600 });
  } catch (error) {
    throw cannotWrite(name, "export.unwritable", error);
  }
}
