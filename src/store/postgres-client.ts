import { createRequire } from "node:module";
import type { Client, ClientConfig } from "pg";
import type { PostgresAddress } from "./postgres-address.ts";
import { endsSession } from "./postgres-errors.ts";
import { type ListeningSession, numberParsers, type OpenSession, type PostgresAnswer } from "./postgres-session.ts";

declare module "pg" {
  interface Client {
    ref(): void;
    unref(): void;
  }
}

const CONNECT_MS = 10_000;

/** Longer than the server's own limit for a statement. Only a server that vanished silently takes this long. */
const SILENCE_MS = 90_000;

/** Opens sessions with the server at this address. The first one loads the client's package. */
export function postgresServer(address: PostgresAddress): OpenSession {
  return () => openListener(address);
}

/** One session that can listen, too. */
export async function openListener(address: PostgresAddress): Promise<ListeningSession> {
  const { host, port, user, password, database, tls } = address;
  const config: ClientConfig = {
    ...{ host, port, database, ...(user !== undefined && { user }), ...(password !== undefined && { password }) },
    application_name: "miracle",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: SILENCE_MS,
    keepAlive: true,
  };
  if (tls.mode === "off") return PgSession.open({ ...config, ssl: false });
  try {
    return await PgSession.open({ ...config, ssl: tls.options });
  } catch (error) {
    const unencrypted = error instanceof Error && error.message.includes("does not support SSL");
    if (tls.mode === "required" || !unencrypted) throw error;
    return PgSession.open({ ...config, ssl: false });
  }
}

/** A session through the `pg` package. It keeps the process alive only while a query is under way. */
class PgSession implements ListeningSession {
  readonly #client: Client;
  #lost = false;
  #whenLost: (() => void) | undefined;

  private constructor(client: Client) {
    this.#client = client;
    // Without a listener, a connection that breaks while it is idle would end the process.
    client.on("error", () => this.#lose());
    client.on("end", () => this.#lose());
  }

  static async open(config: ClientConfig): Promise<PgSession> {
    const pg: typeof import("pg") = createRequire(import.meta.filename)("pg");
    const types: ClientConfig["types"] = {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        numberParsers[type] ?? pg.types.getTypeParser(type, format),
    };
    const client = new pg.Client({ ...config, types });
    const session = new PgSession(client);
    await client.connect();
    client.unref();
    return session;
  }

  get isLost(): boolean {
    return this.#lost;
  }

  async query(sql: string, parameters: unknown[], name?: string): Promise<PostgresAnswer> {
    const answer = await this.#ask(() =>
      this.#client.query({ text: sql, values: parameters, ...(name !== undefined && { name }) }),
    );
    // Several statements without parameters have several answers, which the client's types do not say.
    if (Array.isArray(answer)) return { rows: [answer].flat().flatMap(({ rows }) => rows), count: 0 };
    return { rows: answer.rows, count: answer.rowCount ?? 0 };
  }

  async script(sql: string): Promise<void> {
    await this.#ask(() => this.#client.query(sql));
  }

  onNotification(listener: (channel: string, text: string) => void): void {
    this.#client.on("notification", ({ channel, payload }) => listener(channel, payload ?? ""));
  }

  onLost(listener: () => void): void {
    this.#whenLost = listener;
  }

  async close(): Promise<void> {
    this.#whenLost = undefined;
    this.#client.ref();
    await this.#client.end().catch(() => {});
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    this.#client.ref();
    try {
      return await ask();
    } catch (error) {
      if (endsSession(error)) this.#lose();
      throw error;
    } finally {
      this.#client.unref();
    }
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#client.end().catch(() => {});
    this.#whenLost?.();
  }
}
