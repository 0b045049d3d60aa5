import { setTimeout as sleep } from "node:timers/promises";
import type { Script, ScriptedAnswer, ServedRequest } from "../../test/model-server.ts";
import { call, roleOf } from "../../test/scripted-goal.ts";

/** Numbers are written down in one file by two calls of a model, or in parts: then they are planned. */
export interface Numbered {
  number: number;
  inParts: boolean;
}

/** Goals so small that the work around them is what takes time. */
export const goalOf = ({ number, inParts }: Numbered): string =>
  `write down number ${number}${inParts ? " in parts" : ""}.`;

const PARTS = ["first", "second", "third"];

const content = (number: number, part?: string): string =>
  part === undefined ? `this is ${number}\n` : `export const ${part} = () => ${number};\n`;

const pathOf = (number: number, part?: string): string =>
  part === undefined ? `out/${number}.txt` : `src/${part}${number}.js`;

const testOf = (number: number, part: string) => ({
  path: `test/${part}${number}.test.js`,
  content: `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${part} } from "../${pathOf(number, part)}";

test("${part} of ${number} works", () => assert.equal(${part}(), ${number}));
`,
});

/** The files that must be there in the end. */
export function filesOf({ number, inParts }: Numbered): [path: string, content: string][] {
  if (!inParts) return [[pathOf(number), content(number)]];
  return PARTS.flatMap((part): [string, string][] => {
    const test = testOf(number, part);
    return [
      [pathOf(number, part), content(number, part)],
      [test.path, test.content],
    ];
  });
}

/** The calls that must be recorded: which role, on what, and its turns. */
export const callsOf = ({ inParts }: Numbered): string[] =>
  inParts ? ["plan", "tests", ...PARTS.flatMap((part) => [`${part} 1`, `${part} 2`])] : ["1", "2"];

/** A recorded call by its step. */
export function recordedCall(path: string): string {
  const [, kind] = /^task\/(plan|tests)\//.exec(path) ?? [];
  if (kind !== undefined) return kind;
  const part = PARTS.find((one) => path.startsWith(`todo:${one}/`));
  const turn = /\/code\/(\d+)$/.exec(path)?.[1] ?? path;
  return part === undefined ? turn : `${part} ${turn}`;
}

/** One call of the model: of which number, which one, and when. */
export interface Asked {
  number: number;
  call: string;
  at: number;
}

export function readAsked(request: ServedRequest): Asked {
  const text = JSON.stringify(request.body);
  const turn = request.messages.filter(({ role }) => role === "assistant").length + 1;
  const whole = /write down number (\d+)\./.exec(text)?.[1];
  if (whole !== undefined) return { number: Number(whole), call: String(turn), at: Date.now() };
  const number = /number (\d+) in parts|src\/[a-z]+(\d+)\.js/
    .exec(text)
    ?.slice(1)
    .find((one) => one !== undefined);
  const said = { number: Number(number), at: Date.now() };
  const role = roleOf(request);
  if (role === "planner") return { ...said, call: "plan" };
  if (role === "tester") return { ...said, call: "tests" };
  const part = /write src\/(first|second|third)\d+\.js/.exec(request.messages[0]?.text ?? "")?.[1];
  return { ...said, call: `${part} ${turn}` };
}

/** A model thinks for a while: so some of the kills meet a call that is under way. */
const THINKING_MS = 300;

/** Answers follow from the request alone: whoever asks again gets the same. */
export const numberedScript: Script = async (request) => {
  await sleep(THINKING_MS);
  const { number, call: asked } = readAsked(request);
  return { toolCalls: [answerTo(asked, number)] };
};

function answerTo(asked: string, number: number): NonNullable<ScriptedAnswer["toolCalls"]>[number] {
  if (asked === "plan") return call("finish", planOf(number));
  if (asked === "tests")
    return call("finish", {
      files: PARTS.map((part, index) => ({
        ...testOf(number, part),
        todo: part,
        covers: [{ test: `${part} of ${number} works`, requirement: `R${index + 1}` }],
      })),
    });
  if (asked.endsWith("2")) return call("finish", { summary: `wrote ${number}` });
  const part = PARTS.find((one) => asked.startsWith(one));
  return call("create_file", { path: pathOf(number, part), content: content(number, part) });
}

const planOf = (number: number) => ({
  size: "large",
  title: `number ${number}`,
  kind: "chore",
  language: "javascript",
  requirements: PARTS.map((part, index) => ({
    id: `R${index + 1}`,
    text: `${part}() of ${pathOf(number, part)} is ${number}`,
    quote: `write down number ${number} in parts`,
  })),
  todos: PARTS.map((part, index) => ({
    id: part,
    title: `write ${pathOf(number, part)}`,
    requirements: [`R${index + 1}`],
    artifacts: [pathOf(number, part)],
  })),
});
