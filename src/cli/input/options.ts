import { type Command, InvalidArgumentError, Option } from "commander";
import type { RunPolicy } from "../../app/run-options.ts";
import {
  dollarsOrNone,
  duration,
  httpUrl,
  oneOf,
  type ParseSetting,
  positiveInteger,
  SettingError,
  share,
} from "../../config/parse-setting.ts";
import { ApprovalSubject } from "../../domain/approval.ts";
import { SandboxBackend } from "../../domain/settings/settings.ts";
import type { ViewOptions } from "../terminal/live-view.ts";

/** How a run is shown. */
export interface ViewFlags {
  json?: boolean;
  quiet?: boolean;
}

export interface ApprovalFlags {
  yes?: boolean;
  approve?: ApprovalSubject[];
  wait?: boolean;
}

/** The flags that change settings, as on `run`, `continue` and `config`. */
export function addSettingOptions(command: Command): Command {
  addLimitOptions(command);
  return command
    .optionsGroup("Which model:")
    .option(
      "-m, --model <provider/name>",
      "the model to use; a provider alone means its default model, a name alone is looked up",
    )
    .option("--base-url <url>", "address of an OpenAI-compatible server", checked(httpUrl))
    .option("--effort <level>", "quick, standard or thorough", checked(oneOf("quick", "standard", "thorough")))
    .optionsGroup("How it is worked on and proven:")
    .option("--direct", "no plan and no new tests: straight to the code; the command of --accept decides")
    .option("--accept <command>", "a command whose success you accept as proof (may be repeated)", collect)
    .option(
      "--mutation-score <share>",
      "the share of small changes of the code (mutants) that tests must notice: 0.8",
      checked(share),
    )
    .option(
      "--clarify <when>",
      "make the goal precise first: auto, always, never",
      checked(oneOf("auto", "always", "never")),
    )
    .option(
      "--architect <when>",
      "write a contract before tests and code: auto (large goals), always, never",
      checked(oneOf("auto", "always", "never")),
    )
    .option("--review", "a reviewer reads each change before it is tested")
    .option("--audit", "an auditor reads it for security: OWASP Top 10, CWE")
    .option("--no-memory", "do not use what past work taught, and learn nothing from this one")
    .optionsGroup("What it may do, and when you are asked:")
    .option("--confirm <what>", "show and ask before going on: plan, diff or plan,diff", confirmations)
    .option("--write-scope <glob>", "the agent may write only here (may be repeated)", collect)
    .addOption(
      new Option(
        "--sandbox <backend>",
        "bubblewrap, docker (also podman), seatbelt (macOS; not seen on hardware), or process: with your own rights",
      ).argParser(checked(oneOf(...SandboxBackend.options))),
    )
    .option("--approve <subjects>", APPROVE, subjects)
    .option("--wait", WAIT)
    .option("--notify <command>", "run this when the task ends")
    .optionsGroup(OWN);
}

/** What only this command has. */
const OWN = "Options:";

const APPROVE = `allow without asking: ${ApprovalSubject.options.join(", ")}`;
const WAIT = "where nobody can be asked, pause until `miracle approve` answers, instead of refusing";

/** What one run allows without asking, where the task exists already. */
export function addApprovalOptions(command: Command): Command {
  return command
    .option("-y, --yes", "answer every question with yes, but for files outside of the project (--approve outside)")
    .option("--approve <subjects>", APPROVE, subjects)
    .option("--wait", WAIT);
}

/** The flags of one run as its policy. */
export function runPolicy({ yes, approve = [], wait }: ApprovalFlags): RunPolicy {
  return yes
    ? { subjects: meantByYes(approve), words: "--yes", wait: false, findings: approve.includes("code") }
    : {
        subjects: approve,
        words: `--approve ${approve.join(",")}`,
        wait: wait === true,
        findings: approve.includes("code"),
      };
}

/** Whoever says yes to everything has not thought of files that are none of the task's: these are named, or asked for. */
const meantByYes = (named: ApprovalSubject[]): ApprovalSubject[] =>
  ApprovalSubject.options.filter((subject) => subject !== "outside" || named.includes(subject));

/** What a task may use up of money and time; `resume` can widen it. */
export function addBudgetOptions(command: Command): Command {
  return command
    .optionsGroup("What it may use up:")
    .option("--max-cost <dollars>", "never spend more than this; none: no limit", checked(dollarsOrNone))
    .option("--max-tokens <n>", "never use more tokens than this", checked(positiveInteger))
    .option("--timeout <duration>", "time at work on the task, over every resume: 90s, 10m, 2h", checked(duration))
    .optionsGroup(OWN);
}

/** Limits of the loop are fixed when a task starts; `resume` cannot change them. */
function addLimitOptions(command: Command): Command {
  return addBudgetOptions(command)
    .optionsGroup("What it may use up:")
    .option(
      "--max-iterations <n>",
      "how often code is written and tested in one attempt (at a todo, or at what unseen tests found)",
      checked(positiveInteger),
    )
    .option("--max-turns <n>", "model turns of the coder in one iteration", checked(positiveInteger))
    .option("--parallel <n>", "todos that are worked on at once; 1: one after another", checked(positiveInteger));
}

export function addViewOptions(command: Command): Command {
  return command.option("--json", "one event per line on stdout").option("-q, --quiet", "no progress, only the result");
}

/** For commands that can be done by a server somewhere. */
export const addServerOption = (command: Command): Command =>
  command.option(
    "--server <url>",
    "ask the `miracle serve` at this address; default: MIRACLE_SERVER, with MIRACLE_TOKEN",
  );

export const viewMode = ({ json, quiet }: ViewFlags): ViewOptions["mode"] => (json ? "json" : quiet ? "quiet" : "live");

/** A parser of settings as commander wants it: its errors then name the flag. */
export function checked<T>(parse: ParseSetting<T>): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof SettingError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

export const collect = (value: string, previous: string[] = []): string[] => [...previous, value];

function confirmations(text: string, previous: ("plan" | "diff")[] = []): ("plan" | "diff")[] {
  return [...new Set([...previous, ...text.split(",").map(checked(oneOf("plan", "diff")))])];
}

function subjects(text: string, previous: ApprovalSubject[] = []): ApprovalSubject[] {
  const named = text.split(",").map((word) => checked(oneOf(...ApprovalSubject.options))(word.trim()));
  return [...new Set([...previous, ...named])];
}

/** What becomes of a result. */
export function addResultOptions(command: Command): Command {
  return command
    .optionsGroup("What becomes of the result:")
    .option("--no-apply", "keep the result, do not write it into the directory")
    .option("--branch <name>", "the result becomes a commit on this new branch; your files stay as they are")
    .option("--keep-tests", "the tests that the coder did not see become a part of the result, too")
    .option("--no-keep-tests", "leave those tests out, and do not ask; default: ask at a terminal")
    .option(
      "--leave <path>",
      "accept the change there although no test shows it: a path, or 'path unit' (may be repeated)",
      collect,
    )
    .option("-y, --yes", "answer every question with yes, but for files outside of the project (--approve outside)")
    .optionsGroup(OWN);
}
