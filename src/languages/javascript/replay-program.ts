import { CARRIED_VALUES } from "./record-values.ts";
import { CALL } from "./replay-call.ts";
import { DESCRIBE } from "./replay-describe.ts";
import { LOAD } from "./replay-load.ts";
import { VALUES } from "./replay-values.ts";
import { VARY } from "./replay-vary.ts";

/**
 * Makes recorded calls again in one process without any test runner. Calls of one process may meet what others
 * left: the second attempt makes them in the opposite order, so whoever depends on that differs from itself, and
 * is called again with `alone`, in a fresh copy of its module. A mutant is a second copy of its module; a
 * difference counts only while the copy without a mutant still does what it did.
 */
export const REPLAY_PROGRAM = `
import crypto from "node:crypto";
import fs from "node:fs";
import { createRequire, registerHooks, stripTypeScriptTypes, syncBuiltinESMExports } from "node:module";
import { pathToFileURL, fileURLToPath } from "node:url";
import util from "node:util";
import vm from "node:vm";
const root = process.cwd();
const asked = JSON.parse(fs.readFileSync(0, "utf8"));
const started = performance.now();
const write = fs.writeSync.bind(fs);
const say = (value) => {
  const text = Buffer.from(JSON.stringify(value) + "\\n");
  for (let sent = 0; sent < text.length; ) {
    try {
      sent += write(1, text, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
};
const late = () => performance.now() - started > asked.deadlineMs;
${CARRIED_VALUES}
${DESCRIBE}
${VARY}
${LOAD}
${CALL}
${VALUES}
const sumOfOutcome = (outcome) =>
  sumOf(
    JSON.stringify([
      outcome.kind,
      ...Object.keys(outcome.parts)
        .sort()
        .map((name) => [name, outcome.parts[name].sum]),
    ]),
  );

let versions = 0;
const replay = async () => {
  for (const [key, { path, name }] of functions) {
    let own = asked.calls.filter((call) => call.key === key);
    try {
      await load(path);
      resolve(path, name);
    } catch (error) {
      say({
        problem: {
          key,
          text:
            (error instanceof Absent ? "" : "cannot be loaded here: ") + String(error?.message ?? error).slice(0, 280),
        },
      });
      continue;
    }
    say({ globals: { key, names: Object.keys(exportsOf(path) ?? {}).slice(0, 1000) } });
    for (const path of classPaths(own)) {
      try {
        await load(path);
      } catch {}
    }
    if (asked.vary && own.length && !late()) {
      const varied = variations(own, find, known, asked.vary).map((one, index) => ({
        ...one,
        key,
        id: own[0].id + "~" + index,
      }));
      for (const one of varied) say({ varied: one });
      own = [...own, ...varied];
    }
    let hangs = 0;
    for (const call of asked.attempt === 1 ? own : own.toReversed()) {
      if (late()) return;
      if (hangs >= 2) break;
      let outcome;
      if (asked.alone) {
        try {
          await load(path, undefined, (versions += 1));
        } catch {}
      }
      try {
        outcome = await outcomeOf(call, asked.callMs * 2);
      } catch {
        outcome = { kind: "gone", parts: {} };
      }
      hangs += outcome.kind === "hang" ? 1 : 0;
      say({ outcome: { ...outcome, id: call.id, sum: sumOfOutcome(outcome) } });
    }
  }
};

const tryMutants = async () => {
  const calls = new Map(asked.calls.map((call) => [call.id, call]));
  for (const { path } of functions.values()) {
    try {
      await load(path);
    } catch {}
  }
  for (const path of classPaths(asked.calls)) {
    try {
      await load(path);
    } catch {}
  }
  const differs = async ({ id, outcome }) => {
    try {
      return sumOfOutcome(await outcomeOf(calls.get(id), asked.callMs)) !== outcome;
    } catch {
      return true;
    }
  };
  let number = 0;
  for (const { id, path, content, original, calls: tried } of asked.mutants) {
    if (late()) return;
    let noticed = null;
    try {
      await load(path, content, (number += 1));
      for (const one of tried) {
        if (late()) return;
        if (!(await differs(one))) continue;
        await load(path, original, (number += 1));
        if (await differs(one)) {
          say({ mutant: { id, noticed: false, call: "?" } });
          noticed = "?";
          break;
        }
        await load(path, content, (number += 1));
        if (await differs(one)) {
          noticed = one.id;
          break;
        }
      }
    } catch {
      noticed = "";
    }
    if (noticed !== "?") say({ mutant: { id, noticed: noticed !== null, call: noticed ?? "" } });
  }
};

await tellValues();
await (asked.mutants.length ? tryMutants() : replay());
say({ end: true });
process.kill(process.pid, "SIGKILL");
`;
