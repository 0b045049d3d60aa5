import { fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";

const FOLLOWERS = 100;
const RATE = 1000;
const SECONDS = 3;
const MB = 1024 * 1024;

interface Followed {
  /** From the moment an event is made to the moment a follower has it. */
  medianMs: number;
  slowestMs: number;
  rss: number;
  rate: number;
}

/** A hundred followers of one task with a thousand events a second, beside a server that keeps nothing. */
export const measureFollowers = (place: Place): Measurement => {
  let rounds = 0;
  return measurement(
    ["followers", "followers-memory"],
    async () => {
      rounds += 1;
      const ours = await follow("miracle", place.directory(`followed-${rounds}`));
      return { ours, bare: await follow("bare", "") };
    },
    (samples) => {
      const of = (which: "ours" | "bare", figure: keyof Followed) =>
        median(samples.map((sample) => sample[which][figure]));
      const latency = (which: "ours" | "bare") =>
        `${of(which, "medianMs").toFixed(1)} ms, 99 of 100 within ${of(which, "slowestMs").toFixed(0)} ms, ${of(which, "rate").toFixed(0)} events/s`;
      return [
        {
          name: "followers",
          what: `event to ${FOLLOWERS} followers ÷ bare server`,
          value: of("ours", "medianMs") / of("bare", "medianMs"),
          unit: "×",
          bar: null,
          detail: `${latency("ours")}; bare ${latency("bare")}`,
        },
        {
          name: "followers-memory",
          what: `memory with ${FOLLOWERS} followers ÷ bare server`,
          value: of("ours", "rss") / of("bare", "rss"),
          unit: "×",
          bar: null,
          detail: `${(of("ours", "rss") / MB).toFixed(0)} MB; bare ${(of("bare", "rss") / MB).toFixed(0)} MB`,
        },
      ];
    },
  );
};

async function follow(kind: string, directory: string): Promise<Followed> {
  const program = join(import.meta.dirname, "followed-server.ts");
  const server = fork(program, [kind, directory, String(RATE), String(SECONDS)]);
  try {
    const [listening] = await once(server, "message");
    const { port } = z.object({ port: z.int() }).parse(listening);
    const latencies: number[] = [];
    const all = Promise.all(Array.from({ length: FOLLOWERS }, () => receive(port, latencies)));
    server.send("begin");
    const [end] = await once(server, "message");
    const { rss, tookMs } = z.object({ rss: z.number(), tookMs: z.number() }).parse(end);
    await all;
    latencies.sort((a, b) => a - b);
    const slowestMs = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
    return { medianMs: median(latencies), slowestMs, rss, rate: (RATE * SECONDS * 1000) / tookMs };
  } finally {
    server.kill("SIGKILL");
  }
}

/** Until the last event came. Of each piece that arrives the oldest event counts: it waited longest. */
function receive(port: number, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get({ port, host: "127.0.0.1", agent: false }, (response) => {
      response.setEncoding("utf8");
      let rest = "";
      response.on("data", (chunk: string) => {
        const now = Date.now();
        const text = rest + chunk;
        const whole = text.lastIndexOf("\n\n");
        rest = text.slice(whole + 2);
        const oldest = /"at":(\d+)/.exec(text.slice(0, whole + 2));
        if (oldest) latencies.push(Math.max(0, now - Number(oldest[1])));
        if (!text.includes(`id: ${RATE * SECONDS}\n`)) return;
        request.destroy();
        resolve();
      });
    });
    request.on("error", reject);
  });
}
