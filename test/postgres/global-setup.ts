import type { TestProject } from "vitest/node";
import { PostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the server is, or why there is none. */
    postgres: { url: string } | { problem: string };
  }
}

/** One server for all tests of the project; those that stop a server start their own. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.start();
  if (typeof server === "string") {
    process.stderr.write(`postgres: skipped, ${server}\n`);
    project.provide("postgres", { problem: server });
    return async () => {};
  }
  project.provide("postgres", { url: server.url() });
  return () => server[Symbol.asyncDispose]();
}
