import { z } from "zod";
import { executed, isRed, type TestReport } from "../../domain/test-report.ts";
import { defineTool } from "./tool.ts";

export const runTests = defineTool({
  name: "run_tests",
  description: "Run the tests: the given files, or all of them.",
  arguments: z.object({ files: z.array(z.string()).optional() }),
  writes: true,
  subject: ({ files }) => files?.join(" ") ?? "all",
  async run({ files }, { runTests }) {
    return describeReport(await runTests(files ?? []));
  },
});

const SHOWN = 10;
const MESSAGE_CHARACTERS = 2000;

/** A report as a model reads it: counts, then each red test with its message. Times are left out: they never repeat. */
export function describeReport(report: TestReport): string {
  const red = report.tests.filter(isRed);
  const passed = report.tests.filter((test) => test.outcome === "passed").length;
  const skipped = report.tests.length - executed(report);
  const lines = [`${passed} passed, ${red.length} red${skipped > 0 ? `, ${skipped} skipped` : ""}`];
  if (report.ending !== "completed") lines.push(`the run did not come to its end: ${report.ending}`);
  for (const test of red.slice(0, SHOWN)) lines.push(`\n${test.outcome} ${test.id}\n${clip(test.message)}`);
  if (red.length > SHOWN)
    lines.push(
      `\n… and ${red.length - SHOWN} more: ${red
        .slice(SHOWN)
        .map((test) => test.id)
        .join(", ")}`,
    );
  if (executed(report) === 0 || (report.ending !== "completed" && red.length === 0)) lines.push(clip(report.output));
  return lines.join("\n");
}

/** The end of a message names the error; its beginning shows the test. */
function clip(text: string): string {
  if (text.length <= MESSAGE_CHARACTERS) return text;
  const half = MESSAGE_CHARACTERS / 2;
  return `${text.slice(0, half)}\n… ${text.length - MESSAGE_CHARACTERS} characters left out …\n${text.slice(-half)}`;
}
