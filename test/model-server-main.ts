import { appendFileSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startModelServer } from "./model-server.ts";
import { answersByRequest } from "./scripted-answers.ts";

/**
 * The scripted model server as a process of its own, for tests that kill the client.
 *
 *     node test/model-server-main.ts SCRIPT.json [--port N] [--host ADDRESS] [--log FILE]
 *
 * Prints its base URL. The log has one JSON line per request; equal hashes are calls that were made again.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: "string", default: "0" }, host: { type: "string" }, log: { type: "string" } },
});
const [script] = positionals;
if (script === undefined) throw new Error("usage: node test/model-server-main.ts SCRIPT.json [--port N] [--log FILE]");
const { log } = values;

const server = await startModelServer(answersByRequest(JSON.parse(readFileSync(script, "utf8"))), {
  port: Number(values.port),
  ...(values.host !== undefined && { host: values.host }),
  onRequest: ({ hash, dialect, model, messages, bytes }) => {
    const turn = messages.filter((message) => message.role === "assistant").length;
    if (log !== undefined) appendFileSync(log, `${JSON.stringify({ hash, dialect, model, turn, bytes })}\n`);
  },
});
console.log(server.baseUrl);
