import type { Handler } from "../judging/judging.ts";
import { archiveHandlers } from "./archives.ts";
import { databaseHandlers } from "./databases.ts";
import { deletionHandlers } from "./deletion.ts";
import { gitHandlers } from "./git.ts";
import { installHandlers } from "./installs.ts";
import { interpreterHandlers } from "./interpreters.ts";
import { makeHandlers } from "./make.ts";
import { networkHandlers } from "./network.ts";
import { otherManagerHandlers } from "./other-managers.ts";
import { processHandlers } from "./processes.ts";
import { packageRunnerHandlers } from "./run-package.ts";
import { builtinHandlers } from "./shell-builtins.ts";
import { shellHandlers } from "./shells.ts";
import { testRunnerHandlers } from "./test-runners.ts";
import { textToolHandlers } from "./text-tools.ts";
import { timedRunnerHandlers } from "./timed-runners.ts";
import { toolHandlers } from "./tools.ts";
import { wrapperHandlers } from "./wrappers.ts";
import { writingHandlers } from "./writing.ts";
import { xargsHandlers } from "./xargs.ts";

export const handlers: Record<string, Handler> = {
  ...testRunnerHandlers,
  ...wrapperHandlers,
  ...xargsHandlers,
  ...timedRunnerHandlers,
  ...builtinHandlers,
  ...shellHandlers,
  ...interpreterHandlers,
  ...deletionHandlers,
  ...writingHandlers,
  ...gitHandlers,
  ...networkHandlers,
  ...databaseHandlers,
  ...installHandlers,
  ...otherManagerHandlers,
  ...packageRunnerHandlers,
  ...processHandlers,
  ...textToolHandlers,
  ...archiveHandlers,
  ...makeHandlers,
  ...toolHandlers,
};
