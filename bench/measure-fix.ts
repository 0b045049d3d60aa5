import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { ModelServer } from "./model-server.ts";
import { ACCEPT, answerFix, GOAL, repository } from "./one-line-fix.ts";
import type { Place } from "./place.ts";
import { miracleArguments, runNode } from "./run-agent.ts";

interface Spent {
  calls: number;
  tokens: number;
  wallMs: number;
}

/** What planning and proof cost beyond a bare loop, for a change of one line. */
export const measureFix = (place: Place, server: ModelServer): Measurement =>
  measurement(
    ["fix-calls", "fix-tokens"],
    async () => ({
      direct: await fix(place, server, ["--direct", "--accept", ACCEPT]),
      normal: await fix(place, server, []),
    }),
    (samples) => {
      const middle = (of: (sample: (typeof samples)[number]) => number) => median(samples.map(of));
      const calls = { normal: middle(({ normal }) => normal.calls), direct: middle(({ direct }) => direct.calls) };
      const tokens = { normal: middle(({ normal }) => normal.tokens), direct: middle(({ direct }) => direct.tokens) };
      const wall = { normal: middle(({ normal }) => normal.wallMs), direct: middle(({ direct }) => direct.wallMs) };
      return [
        {
          name: "fix-calls",
          what: "one-line fix: calls beyond --direct",
          value: calls.normal - calls.direct,
          unit: "calls",
          bar: 2,
          detail: `${calls.normal}, --direct ${calls.direct}; ${wall.normal.toFixed(0)} ms, --direct ${wall.direct.toFixed(0)} ms`,
        },
        {
          name: "fix-tokens",
          what: "one-line fix: tokens ÷ --direct",
          value: tokens.normal / tokens.direct,
          unit: "×",
          bar: 1.5,
          detail: `${tokens.normal.toFixed(0)}, --direct ${tokens.direct.toFixed(0)}`,
        },
      ];
    },
  );

async function fix(place: Place, server: ModelServer, flags: string[]): Promise<Spent> {
  const cwd = place.project(repository());
  const exchanges = server.follow(answerFix);
  const { wallMs } = await runNode(miracleArguments(server.baseUrl, GOAL, flags), place, { cwd });
  if (!readFileSync(join(cwd, "shop/cart.py"), "utf8").includes("quantity")) throw new Error("the fix was not applied");
  const characters = exchanges.reduce((sum, { asked, answered }) => sum + asked + answered, 0);
  return { calls: exchanges.length, tokens: characters / 4, wallMs };
}
