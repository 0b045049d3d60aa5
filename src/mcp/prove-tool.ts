import { z } from "zod";
import { usualProof } from "../app/usual-proof.ts";
import { openLines, placeOf } from "../domain/evidence/account.ts";
import type { Tool, ToolParts } from "./tool.ts";

const Input = z.strictObject({
  directory: z.string().optional().describe("where the change is; default: the directory of this server"),
  base: z
    .string()
    .optional()
    .describe("the git revision at which the change starts; default: as `miracle prove` chooses"),
});

/** Nothing can be accepted here that is not shown: that is a person's to say, at the command line. */
export const proveTool = ({ places, open, texts }: ToolParts): Tool<z.output<typeof Input>> => ({
  name: "prove",
  title: "Prove the change",
  description:
    "Judges the change in a git repository, uncommitted files included, whoever made it: runs the tests before and after, " +
    "tries small changes of the code, and names every place that no test shows. Needs no model. Takes about a minute. " +
    "The verdict is proven, proven-in-part, not-proven, refused (the tests say less than before) or checked.",
  input: Input,
  readOnly: true,
  answer: async ({ directory, base }, { signal, say }) => {
    const wanted = { ...usualProof(places.pathOf(directory)), ...(base !== undefined && { base }) };
    await using opened = await open(wanted.directory);
    const { settings } = opened.config;
    const { Measurements } = await import("../verify/prove/measurements.ts");
    const { prove } = await import("../verify/prove/prove.ts");
    const evidence = await opened.app.proving({ settings, signal, onProgress: say }, (parts) =>
      prove(wanted, parts, new Measurements()),
    );
    const { verdict, change, account = [] } = evidence;
    return {
      text: texts.proof(evidence),
      facts: {
        verdict: verdict.status,
        summary: verdict.summary,
        reasons: verdict.reasons,
        since: change.since,
        files: change.files.map(({ path }) => path),
        notJudged: openLines(account).map(placeOf),
      },
    };
  },
});
