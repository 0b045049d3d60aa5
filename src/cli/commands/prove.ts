import type { Command } from "commander";
import { usualProof } from "../../app/usual-proof.ts";
import { parseDuration } from "../../config/duration.ts";
import { duration, oneOf, type ParseSetting, share } from "../../config/parse-setting.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { SandboxBackend } from "../../domain/settings/settings.ts";
import { renderComment } from "../../verify/evidence/comment.ts";
import { Measurements } from "../../verify/prove/measurements.ts";
import { prove } from "../../verify/prove/prove.ts";
import type { ProveRequest } from "../../verify/prove/prove-parts.ts";
import { workingDirectory } from "../input/directory.ts";
import { hiddenPrograms } from "../input/hidden-programs.ts";
import { checked, collect } from "../input/options.ts";
import { besideOwnNode } from "../input/own-node.ts";
import { openApp } from "../task/open-app.ts";
import { writeEvidence } from "../task/write-evidence.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { linesFor } from "../terminal/paint.ts";
import { Progress } from "../terminal/progress.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { EXIT, type ExitCode } from "../text/exit-codes.ts";
import { proofLines } from "../text/proof-text.ts";

interface Flags {
  base?: string;
  accept?: string[];
  superseded?: string[];
  leave?: string[];
  mutationScore?: number;
  budget?: string;
  dir?: string;
  output?: string;
  comment?: boolean;
  force?: boolean;
  sign?: string;
  sandbox?: SandboxBackend;
  json?: boolean;
  quiet?: boolean;
}

const EXAMPLES = `
The change is everything since the base, uncommitted and untracked files included, whoever or whatever made it. The base
is --base; or on a branch the merge base with the default branch; or HEAD when something is uncommitted; or the commit
before. Your directory and its .git are only read: everything runs in clean checkouts in the sandbox, without a network.
Packages that a side's manifests name and that are not installed are installed first, from their registry (miracle env).

Everything that differs is accounted for, place by place: shown (a test that could fail shows it), the same (it compiles
to the same code, or both versions behave alike), inert (comments, documentation, the tests themselves), or open. Open is
what is not judged, and what has a gap: tests turned green for it, and they do not show all of it.

Verdicts: proven (exit 0: nothing is open, and nothing broke), proven in part (1: something is shown or the same, and
something is open), not proven (1: nothing is shown or the same, or something speaks against it), refused (7: the tests
say less than before), checked (0: every place is inert). What is open is named with the flag that accepts it.

A place is shown by tests that turn from red to green, run it, and notice every small change of it. --mutation-score 0.9
allows one in ten to go unnoticed; --leave accepts a place that is open.

Examples:
  miracle prove                                       the change on this branch
  miracle prove --base origin/main -o evidence        in CI, with a bundle to upload
  miracle prove --base HEAD~3 --accept "make check"   a command that must pass, before and after
  miracle prove --superseded tests/test_fees.py::test_late
                                                      that test's expectation is meant to change
  miracle prove --leave .github/ --leave package.json
                                                      accept these places without a proof
  miracle prove --json | jq .verdict
  miracle verify evidence                             check a bundle, offline`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--base <rev>", "where the change starts")
    .option("--accept <command>", "a command whose success you accept as proof (may be repeated)", collect)
    .option("--superseded <test>", "a test, or a file of tests, that may go or change (may be repeated)", collect)
    .option("--leave <path>", "accept what is open there: a path, or 'path unit' (may be repeated)", collect)
    .option(
      "--mutation-score <share>",
      "the share of small changes of the code (mutants) that tests must notice: 0.8",
      checked(share),
    )
    .option(
      "--budget <duration>",
      `time for the mutants, 0 for none; default: what is left of a minute`,
      checked(budget),
    )
    .option("--dir <path>", "the project; default: here")
    .option("-o, --output <directory>", "write the evidence there, as a bundle")
    .option("-f, --force", "replace a bundle that is there")
    .option("--sign <key>", "sign the bundle with this private key, as ssh-keygen -Y sign does")
    .option("--sandbox <backend>", "where code runs", checked(oneOf(...SandboxBackend.options)))
    .option("--comment", "at most ten lines of Markdown, for a pull request")
    .option("--json", "the evidence as JSON on stdout")
    .option("-q, --quiet", "no progress")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: Flags) => {
      const directory = workingDirectory(terminal.directory, flags.dir);
      await using opened = await openApp(terminal, directory, { sandbox: flags.sandbox });
      using interrupts = listenForInterrupts(() => {});
      const { signal } = interrupts;
      const { settings, secrets } = opened.config;
      using progress = flags.quiet ? undefined : new Progress(terminal);
      if (settings.sandbox.backend === "bubblewrap") {
        for (const line of hiddenPrograms(flags.accept ?? [], terminal.env.PATH ?? ""))
          progress?.keep(`warning: ${line}`);
      }
      try {
        await opened.app.proving({ settings, signal, onProgress: progress?.say ?? (() => {}) }, async (parts) => {
          const measurements = new Measurements();
          const evidence = await prove(requestOf(directory, flags), parts, measurements);
          const { output } = flags;
          const { artifacts } = parts;
          const sources = { document: evidence, artifacts, secrets, measurements: measurements.toText() };
          const bundle =
            output === undefined
              ? null
              : { directory: output, hash: (await writeEvidence(terminal, sources, { ...flags, output })).root };
          const node = besideOwnNode(evidence.versions.node, terminal.env);
          if (node !== null && !flags.json) progress?.keep(`note: ${node}`);
          progress?.[Symbol.dispose]();
          const page = flags.comment ? renderComment(evidence) : proofText(terminal, proofLines(evidence, bundle));
          terminal.output.write(flags.json ? `${JSON.stringify(evidence)}\n` : page);
          finish(exitCodeOf(evidence));
        });
      } catch (error) {
        if (!signal.aborted) throw error;
        finish(EXIT.interrupted);
      }
    });
}

/** A person reads the verdict last, where the eye stops; a program, or who looks at the head of a log, first. */
const proofText = (terminal: Terminal, { verdict, detail }: ReturnType<typeof proofLines>): string =>
  linesFor(terminal, terminal.output, terminal.output.isTTY ? [...detail, verdict] : [verdict, ...detail]);

function requestOf(directory: string, flags: Flags): ProveRequest {
  const { base, accept = [], superseded = [], leave = [], mutationScore = null, budget } = flags;
  const { withinMs, ...usual } = usualProof(directory);
  const said = { ...usual, ...(base !== undefined && { base }), accept, superseded, leave, mutationScore };
  // Whoever says how long the mutants may take has said how long all of it may.
  return budget === undefined ? { ...said, withinMs } : { ...said, budgetMs: parseDuration(budget) ?? 0 };
}

function exitCodeOf({ verdict }: EvidenceDocument): ExitCode {
  const codes = {
    proven: EXIT.done,
    "proven-in-part": EXIT.notProven,
    checked: EXIT.done,
    "not-proven": EXIT.notProven,
    refused: EXIT.weakened,
  } as const;
  return codes[verdict.status];
}

const budget: ParseSetting<string> = (text) => (/^0+(ms|s|m|h)?$/.test(text) ? "0" : duration(text));
