import type { News } from "../../bus/news.ts";
import { type AuditEntry, addAudit } from "../../store/audit.ts";
import type { Store } from "../../store/store.ts";
import { RateLimit } from "./rate-limit.ts";

/** So many refusals of one caller are written down: more would let anybody fill the disk. */
const REFUSALS = { perSecond: 1 / 60, burst: 20 };

/** Who asked for what over HTTP. What tasks do and decide is entered with their events. */
export class AuditLog {
  readonly #store: Store;
  readonly #news: News;
  readonly #refusals = new RateLimit(REFUSALS);

  constructor(store: Store, news: News) {
    this.#store = store;
    this.#news = news;
  }

  /** Written down before it returns. */
  async note(entry: Omit<AuditEntry, "at">): Promise<void> {
    const at = Date.now();
    const number = await this.#store.write((tx) => addAudit(tx, { ...entry, at }), { durable: false });
    const correlation = { task: entry.task, todo: null, step: null, request: entry.request };
    this.#news.tell({ channel: "audit.logs", type: entry.action, number, at, correlation });
  }

  async refused(entry: Omit<AuditEntry, "at" | "action">): Promise<void> {
    if (this.#refusals.take(entry.by) === 0) await this.note({ ...entry, action: "request-refused" });
  }
}
