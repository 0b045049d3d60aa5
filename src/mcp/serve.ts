import type { Readable, Writable } from "node:stream";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { TerminalFailure } from "../domain/failure.ts";
import { answerTool } from "./answer-tool.ts";
import { proveTool } from "./prove-tool.ts";
import { askTool, evidenceTool } from "./read-tools.ts";
import { resumeTool, runTool, stopTool, taskTool } from "./run-tools.ts";
import { Runs } from "./runs.ts";
import type { PersonsWord, Tool, ToolCall, ToolParts } from "./tool.ts";

export interface ServeOptions extends Omit<ToolParts, "runs"> {
  version: string;
  /** The protocol, and nothing else, goes over these. */
  input: Readable;
  output: Writable;
  report(error: unknown): void;
}

export interface RunningMcpServer extends AsyncDisposable {
  /** The client has left. */
  closed: Promise<void>;
}

/** Offers the tools to one client, until that leaves or this is disposed of. */
export function serveMcp(options: ServeOptions): RunningMcpServer {
  const { version, input, output, report } = options;
  const runs = new Runs();
  const parts = { ...options, runs };
  const closed = new Promise<void>((resolve) => {
    for (const end of ["end", "close", "error"]) input.once(end, () => resolve());
    // Nobody reads what is answered.
    output.once("error", () => resolve());
  });
  const handle = serveStdio(
    () => {
      const server = new McpServer({ name: "miracle", version }, { instructions: INSTRUCTIONS });
      register(server, proveTool(parts), report);
      register(server, runTool(parts), report);
      register(server, taskTool(parts), report);
      register(server, answerTool(parts), report);
      register(server, resumeTool(parts), report);
      register(server, stopTool(parts), report);
      register(server, evidenceTool(parts), report);
      register(server, askTool(parts), report);
      return server;
    },
    { transport: new StdioServerTransport(input, output), onerror: report },
  );
  return {
    closed,
    [Symbol.asyncDispose]: async () => {
      await handle.close();
      await runs[Symbol.asyncDispose]();
    },
  };
}

const INSTRUCTIONS =
  "Miracle judges changes of code and makes changes that are proven. What it calls proven was shown by tests that " +
  "could have failed. Report its verdicts as they are.";

const PersonsForm = z.object({
  granted: z.boolean().meta({ title: "Allow it", description: "yes, go on with it" }),
  reason: z.string().optional().meta({ title: "Why, or the answer in words" }),
});

function register<Input>(
  server: McpServer,
  { name, title, description, input, readOnly, answer }: Tool<Input>,
  report: (error: unknown) => void,
): void {
  const annotations = { readOnlyHint: readOnly, destructiveHint: !readOnly, openWorldHint: !readOnly };
  server.registerTool(name, { title, description, inputSchema: input, annotations }, async (args, context) => {
    try {
      const answered = await answer(args, callOf(server, context));
      if ("asks" in answered) {
        const form = inputRequired.elicit({ message: answered.asks, requestedSchema: PersonsForm });
        return inputRequired({ inputRequests: { [PERSON]: form } });
      }
      return { content: [{ type: "text", text: answered.text }], structuredContent: answered.facts };
    } catch (error) {
      if (!(error instanceof TerminalFailure) && !context.mcpReq.signal.aborted) report(error);
      return { content: [{ type: "text", text: wordsOf(error) }], isError: true };
    }
  });
}

const PERSON = "person";

function callOf(server: McpServer, { mcpReq }: ServerContext): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  const client = clientOf(server, mcpReq);
  let progress = 0;
  return {
    signal: mcpReq.signal,
    client: client.name,
    say: (message) => {
      if (progressToken === undefined || mcpReq.signal.aborted) return;
      progress += 1;
      const params = { progressToken, progress, message };
      // A client that is gone hears nothing; its end is seen elsewhere.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
    ...(client.hasForms && { person: personsWord(mcpReq.inputResponses) }),
  };
}

const LONGEST_NAME = 60;

/** An older client says once who it is and what it can do; a newer one with each call. */
function clientOf({ server }: McpServer, { envelope }: ServerContext["mcpReq"]): { name: string; hasForms: boolean } {
  const said = new Map(Object.entries(envelope ?? {}));
  const info = said.get(CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  const abilities = said.get(CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities();
  const { name } = Told.parse(info ?? {});
  const { elicitation } = Told.parse(abilities ?? {});
  // Some say that they can ask, and not how: then they have forms.
  const hasForms = elicitation !== undefined && ("form" in elicitation || !("url" in elicitation));
  return { name: name.slice(0, LONGEST_NAME), hasForms };
}

const Told = z.object({
  name: z.string().default("a client"),
  elicitation: z.looseObject({}).optional(),
});

function personsWord(responses: ServerContext["mcpReq"]["inputResponses"]): PersonsWord {
  if (inputResponse(responses, PERSON).kind === "missing") return { said: "nothing yet" };
  const form = acceptedContent(responses, PERSON, PersonsForm);
  return form ? { said: "answer", granted: form.granted, reason: form.reason ?? "" } : { said: "no answer" };
}

/** As the command line says it. Of errors of our own nothing more is told than there. */
function wordsOf(error: unknown): string {
  if (!(error instanceof TerminalFailure)) {
    return `internal error: ${error instanceof Error ? error.message : String(error)}\nThis is a bug in Miracle.`;
  }
  const { message, detail = "" } = error.failure;
  const more = detail.split("\n").filter((line) => !message.includes(line.trim()));
  return [message, ...more].join("\n");
}
