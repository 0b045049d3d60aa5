import { type ChildProcess, spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import {
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import type { CommandLine } from "./command-line.ts";

interface EditorOptions {
  /** The option that the person chooses; null: they close the dialog; a promise: they take their time. */
  choose?: (request: RequestPermissionRequest) => string | null | Promise<string | null>;
  /** What they write into a form; absent: the editor has no forms. */
  write?: (message: string) => string;
}

/** `miracle acp` as a process of its own, and an editor by the SDK's own client. */
export class AcpEditor {
  readonly updates: SessionUpdate[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  readonly #process: ChildProcess;
  readonly #line: CommandLine;
  connection!: ClientConnection;

  private constructor(process: ChildProcess, line: CommandLine) {
    this.#process = process;
    this.#line = line;
  }

  static async open(line: CommandLine, { choose = () => null, write }: EditorOptions = {}): Promise<AcpEditor> {
    const { command, args, cwd, env } = line.call(["acp"]);
    const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    const editor = new AcpEditor(child, line);
    onTestFinished(async () => void (await editor.leave()));
    const app = client({ name: "sample-editor" })
      .onNotification(methods.client.session.update, ({ params }) => void editor.updates.push(params.update))
      .onRequest(methods.client.session.requestPermission, async ({ params }) => {
        editor.asked.push(params);
        const optionId = await choose(params);
        return { outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => ({
        action: "accept",
        content: { answer: write?.(params.message) ?? "" },
      }));
    editor.connection = app.connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
    await editor.connection.agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: write ? { elicitation: { form: {} } } : {},
    });
    return editor;
  }

  async session(cwd = this.#line.project): Promise<string> {
    const { sessionId } = await this.connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    return sessionId;
  }

  prompt(sessionId: string, text: string): Promise<PromptResponse> {
    return this.connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  }

  cancel(sessionId: string): Promise<void> {
    return this.connection.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  updatesOf<Kind extends SessionUpdate["sessionUpdate"]>(kind: Kind) {
    return this.updates.filter(
      (update): update is SessionUpdate & { sessionUpdate: Kind } => update.sessionUpdate === kind,
    );
  }

  /** What the agent said to the person, as one text. */
  get said(): string {
    return this.updatesOf("agent_message_chunk")
      .map(({ content }) => (content.type === "text" ? content.text : ""))
      .join("");
  }

  /** Its end of the pipe is closed; resolves when the process has ended. */
  async leave(): Promise<number | null> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return exitCode;
    const ended = new Promise<number | null>((resolve) => this.#process.once("close", resolve));
    this.#process.stdin?.end();
    return ended;
  }
}
