import { setTimeout as sleep } from "node:timers/promises";
import type { Script, ServedRequest } from "../../test/model-server.ts";

/** A goal so small that the work around it is what takes time: one file, by two calls of a model. */
export const goalOf = (number: number): string => `write down number ${number}.`;

export const pathOf = (number: number): string => `out/${number}.txt`;

export const contentOf = (number: number): string => `this is ${number}\n`;

export const CALLS = 2;

/** One call of the model: of which goal, which turn, and when. */
export interface Asked {
  number: number;
  turn: number;
  at: number;
}

export function readAsked(request: ServedRequest): Asked {
  const said = /write down number (\d+)\./.exec(JSON.stringify(request.body))?.[1];
  const turn = request.messages.filter(({ role }) => role === "assistant").length;
  return { number: Number(said), turn, at: Date.now() };
}

/** A model thinks for a while: so some of the kills meet a call that is under way. */
const THINKING_MS = 300;

/** Answers follow from the request alone: whoever asks again gets the same. */
export const numberedScript: Script = async (request) => {
  await sleep(THINKING_MS);
  const { number, turn } = readAsked(request);
  if (turn > 0) return { toolCalls: [{ name: "finish", arguments: { summary: `wrote ${number}` } }] };
  const file = { path: pathOf(number), content: contentOf(number) };
  return { toolCalls: [{ name: "create_file", arguments: file }] };
};
