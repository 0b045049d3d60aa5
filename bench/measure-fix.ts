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
      direct: await fix(place, server, ["--direct", "--accept", ACCEPT], false),
      normal: await fix(place, server, [], false),
      trusting: await fix(place, server, [], true),
    }),
    (samples) => {
      const middle = (of: (sample: (typeof samples)[number]) => number) => median(samples.map(of));
      const of = (path: keyof (typeof samples)[number]) => ({
        calls: middle((sample) => sample[path].calls),
        tokens: middle((sample) => sample[path].tokens),
        ms: middle((sample) => sample[path].wallMs).toFixed(0),
      });
      const [direct, normal, trusting] = [of("direct"), of("normal"), of("trusting")];
      const unread = (trusting.tokens / direct.tokens).toFixed(2);
      return [
        {
          name: "fix-calls",
          what: "one-line fix: calls beyond --direct",
          value: normal.calls - direct.calls,
          unit: "calls",
          bar: 2,
          detail: `${normal.calls}, --direct ${direct.calls}; ${normal.ms} ms, --direct ${direct.ms} ms`,
        },
        {
          name: "fix-tokens",
          what: "one-line fix: tokens ÷ --direct",
          value: normal.tokens / direct.tokens,
          unit: "×",
          bar: 1.5,
          detail: `${normal.tokens.toFixed(0)}, --direct ${direct.tokens.toFixed(0)}; ${unread} × unless it reads what it is shown`,
        },
      ];
    },
  );

async function fix(place: Place, server: ModelServer, flags: string[], trusting: boolean): Promise<Spent> {
  const cwd = place.project(repository());
  const exchanges = server.follow((request) => answerFix(request, trusting));
  const { wallMs } = await runNode(miracleArguments(server.baseUrl, GOAL, flags), place, { cwd });
  if (!readFileSync(join(cwd, "shop/cart.py"), "utf8").includes("quantity")) throw new Error("the fix was not applied");
  const characters = exchanges.reduce((sum, { asked, answered }) => sum + asked + answered, 0);
  return { calls: exchanges.length, tokens: characters / 4, wallMs };
}
