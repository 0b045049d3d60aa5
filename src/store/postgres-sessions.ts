import { KnownServer } from "./known-server.ts";
import { parsePostgresAddress } from "./postgres-address.ts";
import { postgresServer } from "./postgres-client.ts";
import { explainPostgres } from "./postgres-errors.ts";
import type { OpenSession, PostgresSession } from "./postgres-session.ts";

/**
 * Sessions for whoever brings SQL of their own: as many as there are statements at once, up to a number. One that broke is
 * not used again. A statement whose session breaks is not repeated: nobody knows what became of it.
 */
export class PostgresSessions implements AsyncDisposable {
  readonly #server = new KnownServer();
  readonly #open: OpenSession;
  readonly #where: string;
  readonly #most: number;
  #idle: PostgresSession[] = [];
  #used = 0;
  #waiting: (() => void)[] = [];

  constructor(url: string, most = 10) {
    const address = parsePostgresAddress(url);
    this.#open = postgresServer(address);
    this.#where = address.where;
    this.#most = most;
  }

  async execute(sql: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    while (this.#used >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#used += 1;
    try {
      return await this.#run(sql, values);
    } catch (error) {
      throw explainPostgres(error, this.#where);
    } finally {
      this.#used -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #run(sql: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    const session = this.#idle.find(({ isLost }) => !isLost) ?? (await this.#server.open(this.#open));
    this.#idle = this.#idle.filter((other) => other !== session && !other.isLost);
    try {
      return await session.query(sql, values);
    } finally {
      if (!session.isLost) this.#idle.push(session);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((session) => session.close()));
  }
}
