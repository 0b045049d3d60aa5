import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { CommandLine } from "./command-line.ts";

interface ClientOptions {
  /** Which of the two families of the protocol; default: the older one, which most clients speak. */
  era?: "legacy" | "modern";
  flags?: string[];
  cwd?: string;
  /** What the client's person says when a form is put to them; absent: the client has no forms. */
  person?: (message: string) => { action: "accept" | "decline"; content?: { granted: boolean; reason?: string } };
}

const Told = z.object({
  isError: z.boolean().default(false),
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()).default({}),
});

export interface ToolEnd {
  isError: boolean;
  text: string;
  facts: Record<string, unknown>;
}

/** `miracle mcp` as a process of its own, and the SDK's own client. */
export class McpSession {
  readonly client: Client;
  readonly progress: string[] = [];

  private constructor(client: Client) {
    this.client = client;
  }

  static async open(line: CommandLine, options: ClientOptions = {}): Promise<McpSession> {
    const { era = "legacy", flags = [], cwd, person } = options;
    const client = new Client(
      { name: "sample-client", version: "1.0.0" },
      {
        ...(era === "modern" && { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
        capabilities: person ? { elicitation: { form: {} } } : {},
      },
    );
    if (person) client.setRequestHandler("elicitation/create", async ({ params }) => person(params.message));
    const started = line.call(["mcp", ...flags], cwd === undefined ? {} : { cwd });
    const transport = new StdioClientTransport({ ...started, stderr: "ignore" });
    const session = new McpSession(client);
    onTestFinished(() => session.close());
    await client.connect(transport);
    return session;
  }

  async call(name: string, args: Record<string, unknown> = {}, signal?: AbortSignal): Promise<ToolEnd> {
    const told = await this.client.callTool(
      { name, arguments: args },
      {
        onprogress: ({ message }) => void this.progress.push(message ?? ""),
        timeout: 100_000,
        ...(signal && { signal }),
      },
    );
    const { isError, content, structuredContent } = Told.parse(told);
    return { isError, text: content[0].text, facts: structuredContent };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
