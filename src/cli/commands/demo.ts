import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { packageRoot } from "../../config/package-root.ts";
import { openApp } from "../task/open-app.ts";
import { openRecording } from "../task/open-recording.ts";
import { replayLive } from "../task/replay-live.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { EXIT } from "../text/exit-codes.ts";

/** What the recording was made with: another Python would only show as a difference. */
const SYSTEM_PATH = "/usr/bin:/bin";

const HELP = `
Only the model's answers are recorded. The plan, the code and the tests are worked on as in any run: in the sandbox, with
your Python and pytest. It becomes a task of yours, so that show, diff, undo and evidence work with it.`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--dir <path>", "an empty directory for the result; default: a new one, miracle-demo")
    .option("-q, --quiet", "no progress, only the result")
    .addHelpText("after", HELP)
    .action(async (flags: { dir?: string; quiet?: boolean }) => {
      const dir = flags.dir ?? freeName(terminal.directory);
      const asRecorded = { ...terminal, input: terminal.input, env: { ...terminal.env, PATH: SYSTEM_PATH } };
      await using opened = await openApp(asRecorded, terminal.directory);
      const cassette = join(packageRoot(), "cassettes", "demo.json");
      const recording = await openRecording(opened.app, cassette, {}, terminal.directory);
      const exit = await replayLive({
        terminal: asRecorded,
        opened,
        recording,
        flags: { ...flags, dir },
        drift: "hidden",
      });
      if (exit === EXIT.done)
        terminal.output.write(nextSteps(relative(terminal.directory, resolve(terminal.directory, dir))));
      finish(exit);
    });
}

/** A second demo does not stumble over the first. */
function freeName(directory: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? "miracle-demo" : `miracle-demo-${number}`;
    const place = join(directory, name);
    if (!existsSync(place) || readdirSync(place).length === 0) return name;
  }
}

const nextSteps = (place: string): string => `
The result is in ${place}/. Next, in a project of yours:
  miracle prove           judge the change that is there; no model, no key
  miracle run "…"         give it a goal; needs a key or a local model
`;
