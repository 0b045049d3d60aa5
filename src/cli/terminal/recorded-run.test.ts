import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { screen } from "../../../test/screen.ts";
import { Event } from "../../domain/task/event.ts";
import type { Line } from "../text/line.ts";
import { widthOf } from "../text/printable.ts";
import { resultLines } from "../text/result-text.ts";
import { openView } from "./live-view.ts";
import { linesFor } from "./paint.ts";

/** `npm run demo`, as it was recorded from the database. With `-u` behind its path vitest writes what is seen anew: look at it. */
const events = readFileSync(new URL("../../../test/recorded-run.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((text) => Event.parse(JSON.parse(text)));

test.each([60, 100, 160])("what a person sees of a recorded run on a terminal of %i columns", async (columns) => {
  const clock = { now: 0 };
  const terminal = fakeTerminal({ errorIsTerminal: true, columns });
  const output = { ...terminal.output, isTTY: true, columns };
  const seen: string[] = [];
  let result: Line[];
  {
    using view = openView(terminal, { mode: "live", now: () => clock.now, maxIterations: 15 });
    for (const event of events) {
      clock.now = event.at;
      view.show(event);
      if (event.type !== "phase-changed" || event.phase !== "proving") continue;
      const passing = { task: event.task, at: clock.now };
      view.show({ type: "progress", text: "mutants", done: 0, of: 53, ...passing });
      view.show({ type: "model-heard", model: "local/bridge", patienceMs: 300_000, ...passing });
      clock.now += 14_000;
      view.show({ type: "progress", text: "mutants", done: 12, of: 53, ...passing, at: clock.now });
      view.note("(the live area while it proves:)");
      seen.push(...screen(terminal.errors()).slice(-6));
    }
    const end = events.at(-1);
    if (end?.type !== "task-settled") throw new Error("the recording has an end");
    result = resultLines({ task: end.task, ended: "settled", outcome: end.outcome }, view.model, clock.now, {
      columns: columns - 1,
    });
  }
  terminal.error.write(linesFor(terminal, output, result));
  const shown = [...screen(terminal.errors()), "", ...seen];
  for (const line of shown) expect(widthOf(line.replaceAll(/\u001b\[[\d;]*m/g, ""))).toBeLessThan(columns);
  const visible = shown.map((line) => line.replaceAll("\u001b", "␛")).join("\n");
  await expect(`${visible}\n`).toMatchFileSnapshot(`snapshots/recorded-run-${columns}.txt`);
});
