import { DefaultQueryExecutor, type Driver, type Dialect as KyselyDialect, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * The only connection that writes. For each transaction Kysely makes a dozen objects and twice as many promises, which
 * takes longer than the queries of a journal step. So one transaction object is made here and used for all
 * transactions, one after the other.
 */
export class Writer {
  readonly #driver: Driver;
  readonly #transaction: Transaction<Tables>;

  constructor(dialect: KyselyDialect) {
    const driver = dialect.createDriver();
    const connections = {
      provideConnection: async <T>(use: (connection: Awaited<ReturnType<Driver["acquireConnection"]>>) => Promise<T>) =>
        use(await driver.acquireConnection()),
    };
    const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), connections);
    this.#driver = driver;
    this.#transaction = new Transaction<Tables>({ config: { dialect }, driver, executor, dialect });
  }

  /** Commits the queries of `work` at its end, or rolls them back if it throws. Never two at a time. */
  async transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    const connection = await this.#driver.acquireConnection();
    await this.#driver.beginTransaction(connection, {});
    try {
      const result = await work(this.#transaction);
      await this.#driver.commitTransaction(connection);
      return result;
    } catch (error) {
      await this.#driver.rollbackTransaction(connection);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#driver.destroy();
  }
}
