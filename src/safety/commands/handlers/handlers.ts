import type { Call, Judging } from "../judging.ts";
import { deletionHandlers } from "./deletion.ts";
import { gitHandlers } from "./git.ts";
import { installHandlers } from "./installs.ts";
import { interpreterHandlers } from "./interpreters.ts";
import { networkHandlers } from "./network.ts";
import { processHandlers } from "./processes.ts";
import { shellHandlers } from "./shells.ts";
import { textToolHandlers } from "./text-tools.ts";
import { toolHandlers } from "./tools.ts";
import { wrapperHandlers } from "./wrappers.ts";
import { writingHandlers } from "./writing.ts";

/** Knows one program's arguments: what it runs, deletes, writes or reaches. */
export type Handler = (call: Call, judging: Judging) => void;

export const handlers: Record<string, Handler> = {
  ...wrapperHandlers,
  ...shellHandlers,
  ...interpreterHandlers,
  ...deletionHandlers,
  ...writingHandlers,
  ...gitHandlers,
  ...networkHandlers,
  ...installHandlers,
  ...processHandlers,
  ...textToolHandlers,
  ...toolHandlers,
};
