import { z } from "zod";
import { executed, isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import { clip, firstOf } from "./clip.ts";
import { defineTool } from "./tool.ts";

export const runTests = defineTool({
  name: "run_tests",
  description: "Run the tests: the given files, or all of them.",
  arguments: z.lazy(() =>
    z.object({
      files: z.array(z.string()).optional(),
      goOn: z.boolean().optional().describe("true: there is more to do"),
    }),
  ),
  writes: true,
  subject: ({ files }) => files?.join(" ") ?? "all",
  async run({ files, goOn }, { runTests }) {
    return describeReport(await runTests(files ?? [], goOn ?? false));
  },
});

const SHOWN = 6;
const NAMED = 20;
const MESSAGE_CHARACTERS = 1500;

/** A report for the model: counts, then each red test with its message. It has no times, because they never repeat. */
function describeReport(report: TestReport): string {
  const red = report.tests.filter(isRed);
  const passed = report.tests.filter((test) => test.outcome === "passed").length;
  const skipped = report.tests.length - executed(report);
  const lines = [`${passed} passed, ${red.length} red${skipped > 0 ? `, ${skipped} skipped` : ""}`];
  if (report.ending !== "completed") lines.push(`the run did not come to its end: ${report.ending}`);
  for (const { outcome, id, message } of red.slice(0, SHOWN))
    lines.push(`\n${outcome} ${id}\n${clip(message, MESSAGE_CHARACTERS)}`);
  const others = red.slice(SHOWN).map((test) => test.id);
  if (others.length > 0) lines.push(`\nalso red: ${firstOf(others, NAMED)}`);
  const saidNothing = executed(report) === 0 || (report.ending !== "completed" && red.length === 0);
  if (saidNothing) lines.push(clip(report.output, MESSAGE_CHARACTERS));
  return lines.join("\n");
}
