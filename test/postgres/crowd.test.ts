import { expect, onTestFinished, test } from "vitest";
import { runCrowd } from "../../evals/workers/run-crowd.ts";
import { temporaryDirectory } from "../temporary.ts";
import { PostgresServer } from "./postgres-server.ts";

test("twelve tasks on three workers that share only database, network and git: all end right, though two are killed and the database restarts", async (context) => {
  const postgres = await PostgresServer.start();
  if (typeof postgres === "string") return context.skip(postgres);
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  const { problems, kills, calls } = await runCrowd(postgres, {
    tasks: 12,
    workers: 3,
    directories: 3,
    killMs: 1500,
    kills: 2,
    restart: true,
    askingMs: 120_000,
    patienceMs: 90_000,
    root: temporaryDirectory("miracle-crowd-"),
    tell: () => {},
  });
  expect(problems).toEqual([]);
  expect({ kills, calls }).toEqual({ kills: 2, calls: 24 });
}, 240_000);
