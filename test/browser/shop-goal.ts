import type { ScriptedAnswer, ServedRequest } from "../model-server.ts";
import { call, roleOf } from "../scripted-goal.ts";

/*
 * A goal of six todos that depend on each other, for a page with something to see. The code of `discount` is wrong at
 * first. Every answer follows from the request alone.
 */

export const shopGoal =
  "A small shop: prices in cents, a catalogue, a cart with totals, discounts over 100, a receipt, and a command line";

interface Part {
  id: string;
  title: string;
  quote: string;
  dependsOn: string[];
  code: string;
  /** What a test shown to the coder asserts, and what one asserts that it does not see. */
  seen: string;
  unseen: string;
}

const PARTS: Part[] = [
  {
    id: "money",
    title: "read prices as cents",
    quote: "prices in cents",
    dependsOn: [],
    code: "(text) => Math.round(Number(text) * 100)",
    seen: 'money("1.25"), 125',
    unseen: 'money("0.1"), 10',
  },
  {
    id: "catalogue",
    title: "find an article by its name",
    quote: "a catalogue",
    dependsOn: [],
    code: "(articles, name) => articles.find((article) => article.name === name)?.price ?? null",
    seen: 'catalogue([{ name: "tea", price: 3 }], "tea"), 3',
    unseen: 'catalogue([], "tea"), null',
  },
  {
    id: "cart",
    title: "add up what is in the cart",
    quote: "a cart with totals",
    dependsOn: ["money", "catalogue"],
    code: "(prices) => prices.reduce((sum, price) => sum + price, 0)",
    seen: "cart([1, 2]), 3",
    unseen: "cart([]), 0",
  },
  {
    id: "discount",
    title: "take a tenth off above 100",
    quote: "discounts over 100",
    dependsOn: ["cart"],
    code: "(total) => (total > 100 ? total * 0.9 : total)",
    seen: "discount(100), 100",
    unseen: "discount(200), 180",
  },
  {
    id: "receipt",
    title: "print lines and total",
    quote: "a receipt",
    dependsOn: ["cart"],
    code: '(lines, total) => [...lines, "total " + total].join("\\n")',
    seen: 'receipt(["tea"], 3), "tea\\ntotal 3"',
    unseen: 'receipt([], 0), "total 0"',
  },
  {
    id: "command",
    title: "the command line",
    quote: "a command line",
    dependsOn: ["discount", "receipt"],
    code: '(args) => (args.length === 0 ? "usage: shop ARTICLE..." : args.join(" "))',
    seen: 'command([]), "usage: shop ARTICLE..."',
    unseen: 'command(["tea"]), "tea"',
  },
];

const plan = call("finish", {
  size: "large",
  title: "a small shop",
  kind: "feature",
  language: "javascript",
  requirements: PARTS.map(({ id, title, quote }, index) => ({ id: `R${index + 1}`, text: `${id}: ${title}`, quote })),
  todos: PARTS.map(({ id, title, dependsOn }, index) => ({
    id,
    title,
    dependsOn,
    requirements: [`R${index + 1}`],
    artifacts: [`src/${id}.js`],
  })),
});

const testFile = ({ id }: Part, path: string, assertion: string, index: number) => ({
  path,
  content: `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${id} } from "../src/${id}.js";\n\ntest("${id} works", () => {\n  assert.equal(${assertion});\n});\n`,
  todo: id,
  covers: [{ test: `${id} works`, requirement: `R${index + 1}` }],
});

const tests = call("finish", {
  files: PARTS.flatMap((part, index) => [
    testFile(part, `test/${part.id}.test.js`, part.seen, index),
    { ...testFile(part, `test/${part.id}-unseen.test.js`, part.unseen, index), heldOut: true },
  ]),
});

const reflection = call("finish", {
  cause: "100 itself is discounted",
  hypothesis: "compare with > instead of >=",
  next: "code",
});

/** The todo that a coder's request is about. */
export const partOf = (request: ServedRequest): string =>
  PARTS.find(({ title }) => request.messages[0]?.text.includes(`${title}.`))?.id ?? "";

export function shopScript(request: ServedRequest): ScriptedAnswer {
  const role = roleOf(request);
  const one = (answer: ReturnType<typeof call>): ScriptedAnswer => ({ toolCalls: [answer] });
  if (role === "planner") return one(plan);
  if (role === "tester") return one(tests);
  if (role === "reflector") return one(reflection);
  const turn = request.messages.filter((message) => message.role === "assistant").length;
  const part = PARTS.find(({ id }) => id === partOf(request));
  if (!part || turn > 0) return one(call("finish", { summary: `wrote ${part?.id}` }));
  const isAgain = (request.messages[0]?.text ?? "").includes("instead of >=");
  const code = part.id === "discount" && !isAgain ? part.code.replace("> 100", ">= 100") : part.code;
  const file = { path: `src/${part.id}.js`, content: `export const ${part.id} = ${code};\n`, overwrite: isAgain };
  return one(call("create_file", file));
}
