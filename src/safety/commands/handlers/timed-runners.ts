import type { Handler } from "../judging/judging.ts";
import { hasOption, optionOf, readArguments } from "../judging/options.ts";
import { joinFields } from "../shell/field.ts";

/** Programs that hand their words to a shell again and again, or record what it does. */
export const timedRunnerHandlers: Record<string, Handler> = {
  watch(call, judging) {
    const { operands } = readArguments(call.words, { short: "n", long: ["interval"], stops: true });
    if (operands.length > 0) judging.script(joinFields(operands), call);
  },
  entr(call, judging) {
    const args = readArguments(call.words, { stops: true });
    const [text] = args.operands;
    if (text && hasOption(args, "-s")) judging.script(text, call);
    else judging.run(args.operands, call);
  },
  script(call, judging) {
    const text = optionOf(
      readArguments(call.words, { short: "cIOBTElm", long: ["command"] }),
      "-c",
      "--command",
    )?.value;
    if (text) judging.script(text, call);
  },
  hyperfine(call, judging) {
    const args = readArguments(call.words, {
      short: "wmMrpcsLDPunNi",
      long: ["warmup", "min-runs", "max-runs", "runs", "prepare", "cleanup", "setup", "export-json", "export-markdown"],
    });
    for (const text of [
      ...args.operands,
      ...args.options.flatMap(({ name, value }) =>
        /^-[pcs]$|^--(prepare|cleanup|setup)$/.test(name) && value ? [value] : [],
      ),
    ])
      judging.script(text, call);
  },
};
