import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { JournalBuilder } from "../../../test/journal-builder.ts";
import { openLedger } from "../../llm/ledger.ts";
import { runCommandLine } from "../command-line.ts";

test("a call that was cut off is told as reserved, not as used, and both screens say the same", async () => {
  const home = mkdtempSync(join(tmpdir(), "miracle-show-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const builder = new JournalBuilder(home);
  const store = await builder.store();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const { task, claim } = await builder.create(store);
  const limits = { maxCostMicros: null, maxTokens: null };
  const ledger = openLedger(store, { task, epoch: claim?.epoch ?? 0, limits, now: () => 0 });
  const whole = await ledger.reserve({ costMicros: 500_000, tokens: 20_000 }, "a");
  await whole.settle({ costMicros: 120_000, tokens: 3_000 });
  await ledger.reserve({ costMicros: 700_000, tokens: 41_000 }, "b");
  const seen = async (...words: string[]) => {
    const env = { MIRACLE_HOME: home, PATH: process.env.PATH ?? "" };
    const terminal = fakeTerminal({ directory: home, home, env });
    await runCommandLine(words, terminal);
    return terminal.outputs();
  };
  const shown = await seen("show", task);
  expect(shown).toContain("used       0 iterations, 3.0k tokens, $0.12\n");
  expect(shown).toContain("reserved   up to 41.0k tokens, $0.70 for 1 call of unknown outcome; limits count it\n");
  expect(await seen("history")).toMatch(/\$0\.12 /);
});
