import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";
import { runNode, versionArguments } from "./run-agent.ts";

/** How long it takes until a person sees that the command is there. */
export const measureVersion = (place: Place): Measurement =>
  measurement(
    ["version"],
    async () => ({
      node: (await runNode(["-e", "0"], place)).wallMs,
      ours: (await runNode(versionArguments, place)).wallMs,
    }),
    (samples) => {
      const node = median(samples.map((sample) => sample.node)).toFixed(0);
      const ours = median(samples.map((sample) => sample.ours)).toFixed(0);
      return [
        {
          name: "version",
          what: "--version ÷ node -e 0",
          value: median(samples.map((sample) => sample.ours / sample.node)),
          unit: "×",
          bar: 2,
          detail: `${ours} ms, node ${node} ms`,
        },
      ];
    },
  );
