import { parsePostgresAddress } from "./postgres-address.ts";
import { postgresServer } from "./postgres-client.ts";
import type { OpenSession, PostgresSession } from "./postgres-session.ts";

/** Sessions for whoever brings SQL of their own: as many as there are statements at once, up to a number. One that broke is not used again. */
export class PostgresSessions implements AsyncDisposable {
  readonly #open: OpenSession;
  readonly #most: number;
  #idle: PostgresSession[] = [];
  #used = 0;
  #waiting: (() => void)[] = [];

  constructor(url: string, most = 10) {
    this.#open = postgresServer(parsePostgresAddress(url));
    this.#most = most;
  }

  async execute(sql: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    while (this.#used >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#used += 1;
    try {
      return await this.#run(sql, values);
    } finally {
      this.#used -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #run(sql: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    const session = this.#idle.find(({ isLost }) => !isLost) ?? (await this.#open());
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
