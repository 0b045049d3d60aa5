import { randomUUID } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { TerminalFailure } from "../domain/failure.ts";
import { promptText } from "./prompt-text.ts";
import { Session, type SessionParts } from "./session.ts";

export interface ServeOptions extends SessionParts {
  version: string;
  /** The protocol, and nothing else, goes over these. */
  input: Readable;
  output: Writable;
  report(error: unknown): void;
}

export interface RunningAgent extends AsyncDisposable {
  /** The editor has left. */
  closed: Promise<void>;
}

/** Works for one editor, until that leaves or this is disposed of. */
export function serveAcp(options: ServeOptions): RunningAgent {
  const { version, input, output, report } = options;
  const sessions = new Map<string, Session>();
  let hasForms = false;
  const known = (id: string): Session => {
    const session = sessions.get(id);
    if (session) return session;
    throw RequestError.invalidParams(undefined, `there is no session ${id}`);
  };
  const connection = agent({ name: "miracle" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      const asking = params.clientCapabilities?.elicitation;
      hasForms = asking?.form !== undefined && asking.form !== null;
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "miracle", title: "Miracle", version },
        agentCapabilities: { loadSession: false, promptCapabilities: {} },
        authMethods: [],
      };
    })
    .onRequest(methods.agent.session.new, ({ params }) => {
      const session = new Session(randomUUID(), workingDirectory(params.cwd), options);
      sessions.set(session.id, session);
      return { sessionId: session.id };
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client, signal }) => {
      const session = known(params.sessionId);
      if (session.isBusy)
        throw RequestError.invalidRequest(undefined, "one goal at a time: cancel the one under way first");
      const cancel = () => void session.cancel();
      signal.addEventListener("abort", cancel);
      try {
        return await session.prompt(promptText(params.prompt, session.directory), { client, hasForms });
      } catch (error) {
        throw asRequestError(error, report);
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    })
    .onNotification(methods.agent.session.cancel, async ({ params }) => {
      await sessions.get(params.sessionId)?.cancel();
    })
    .connect(ndJsonStream(Writable.toWeb(output), Readable.toWeb(input)));
  return {
    closed: connection.closed,
    [Symbol.asyncDispose]: async () => {
      connection.close();
      await Promise.all([...sessions.values()].map((session) => session.cancel()));
    },
  };
}

/** The editor is the person's own, so it may name any directory of theirs, as they may at the command line. */
function workingDirectory(path: string): string {
  if (isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(path);
  throw RequestError.invalidParams(undefined, `cwd ${path}: there is no such directory`);
}

/** In the words of the command line. */
function asRequestError(error: unknown, report: (error: unknown) => void): RequestError {
  if (error instanceof TerminalFailure) {
    const { kind, code, message, detail } = error.failure;
    return new RequestError(kind === "invalid-input" ? INVALID : INTERNAL, message, {
      code,
      ...(detail !== undefined && { detail }),
    });
  }
  report(error);
  return new RequestError(INTERNAL, `internal error: ${error instanceof Error ? error.message : String(error)}`);
}

const INVALID = -32_602;
const INTERNAL = -32_603;
