/** One session of a PostgreSQL server. The caller must wait for each answer before the next query. */
export interface PostgresSession {
  /** `name`: prepared under this name, once per session. */
  query(sql: string, parameters: unknown[], name?: string): Promise<PostgresAnswer>;
  /** Several statements without parameters in one round trip. */
  script(sql: string): Promise<void>;
  /** The server or the connection is gone. The session is of no further use. */
  readonly isLost: boolean;
  close(): Promise<void>;
}

/** A session that also hears what others notify. */
export interface ListeningSession extends PostgresSession {
  onNotification(listener: (channel: string, text: string) => void): void;
  /** Called once, when the session is of no further use. */
  onLost(listener: () => void): void;
}

export interface PostgresAnswer {
  rows: unknown[];
  /** How many rows were written, or read. */
  count: number;
}

export type OpenSession = () => Promise<PostgresSession>;

const BIGINT = 20;
const NUMERIC = 1700;

/** How values of these types become numbers. The client reads all other types. */
export const numberParsers: Record<number, (text: string) => number> = {
  [BIGINT]: (text) => {
    const number = Number(text);
    if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is too large for a number`);
    return number;
  },
  [NUMERIC]: Number,
};
