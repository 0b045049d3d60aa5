import { posix } from "node:path";
import type { Call, Handler, Judging } from "../judging/judging.ts";
import { hasOption, type OptionShape, optionOf, readArguments } from "../judging/options.ts";
import { NOWHERE } from "../judging/place.ts";
import { withoutAssignments } from "../judging/variables.ts";
import { joinFields, literal } from "../shell/field.ts";

/** Programs that run the rest of their words; `skip` words of their own stand before it. */
const PLAIN: Record<string, OptionShape & { skip?: number }> = {
  nice: { short: "n", long: ["adjustment"] },
  nohup: {},
  setsid: {},
  stdbuf: { short: "ioe", long: ["input", "output", "error"] },
  time: { short: "fo", long: ["format", "output"] },
  timeout: { short: "sk", long: ["signal", "kill-after"], skip: 1 },
  ionice: { short: "cnpPu" },
  chrt: { skip: 1 },
  taskset: { skip: 1 },
  numactl: {},
  setarch: { skip: 1 },
  linux32: {},
  linux64: {},
  faketime: { skip: 1 },
  fakeroot: {},
  eatmydata: {},
  builtin: {},
  exec: { short: "a" },
  strace: { short: "eoPpsSuEabXI" },
  ltrace: { short: "eoPpsSuEabXI" },
  valgrind: {},
  catchsegv: {},
  busybox: {},
  toybox: {},
  "xvfb-run": { short: "nsef" },
  "cross-env": {},
  sudo: { short: "ugphCTRDr" },
  doas: { short: "uC" },
  chroot: { skip: 1 },
  unshare: {},
  direnv: { skip: 2 },
};

/** `uv run x`, `poetry run x`: the word, then a command. */
const SUBCOMMANDS: Record<string, string[]> = {
  poetry: ["run"],
  pipenv: ["run"],
  pdm: ["run"],
  rye: ["run"],
  hatch: ["run"],
  bundle: ["exec"],
  mise: ["exec", "x"],
  asdf: ["exec"],
};

const plain = Object.fromEntries(
  Object.entries(PLAIN).map(([name, { skip = 0, ...shape }]): [string, Handler] => [
    name,
    (call, judging) =>
      judging.run(
        withoutAssignments(readArguments(call.words, { ...shape, stops: true }).operands.slice(skip), judging),
        call,
      ),
  ]),
);

export const subcommandWrappers = Object.fromEntries(
  Object.entries(SUBCOMMANDS).map(([name, words]): [string, Handler] => [
    name,
    (call, judging) => {
      const { operands } = readArguments(call.words, { stops: true });
      if (words.includes(literal(operands[0]) ?? ""))
        judging.run(readArguments(operands.slice(1), { stops: true }).operands, call);
    },
  ]),
);

export const wrapperHandlers: Record<string, Handler> = {
  ...plain,
  ...subcommandWrappers,
  env: runEnv,
  command(call, judging) {
    const args = readArguments(call.words, { stops: true });
    if (!hasOption(args, "-v", "-V")) judging.run(args.operands, call);
  },
  flock(call, judging) {
    const args = readArguments(call.words, { short: "wEc", long: ["timeout", "command"] });
    const text = optionOf(args, "-c", "--command")?.value;
    if (text) judging.script(text, call);
    else judging.run(readArguments(call.words, { short: "wE", stops: true }).operands.slice(1), call);
  },
  perf(call, judging) {
    const [verb, ...others] = readArguments(call.words, { stops: true }).operands;
    if (!/^(record|stat|trace|mem|lock|sched|kmem|c2c|ftrace|bench)$/.test(literal(verb) ?? "")) return;
    judging.run(readArguments(others, { short: "oeFcpCtgrIG", long: ["output", "event"], stops: true }).operands, call);
  },
};

function runEnv(call: Call, judging: Judging): void {
  const args = readArguments(call.words, {
    short: "uCSa",
    long: ["unset", "chdir", "split-string", "argv0"],
    stops: true,
  });
  const directory = optionOf(args, "-C", "--chdir")?.value;
  const moved = directory && (literal(directory) ?? NOWHERE);
  const directories =
    moved === undefined ? call.around.directories : [moved.startsWith("/") ? posix.normalize(moved) : NOWHERE];
  const inner = { ...call, around: { ...call.around, directories } };
  const split = optionOf(args, "-S", "--split-string")?.value;
  if (split) judging.script(joinFields([split, ...args.operands]), inner);
  else judging.run(withoutAssignments(args.operands, judging), inner);
}
