import { z } from "zod";

/** What is told apart on a bus. */
export const Channel = z.enum(["agent.requests", "agent.results", "workflow.events", "audit.logs"]);
export type Channel = z.infer<typeof Channel>;

/** Carries short messages between processes. A message may be lost: what it is about is in the database. */
export interface Wire extends AsyncDisposable {
  /** Never waits and never fails. What cannot be sent now is lost. */
  send(channel: Channel, text: string): void;
  /** Whatever is sent from now on, by whom ever, this process included. Resolves when it is heard. */
  receive(listener: (channel: string, text: string) => void): Promise<void>;
}

/** A wire that ends with this process. */
export class LocalWire implements Wire {
  readonly #listeners = new Set<(channel: string, text: string) => void>();

  send(channel: Channel, text: string): void {
    for (const listener of this.#listeners) listener(channel, text);
  }

  async receive(listener: (channel: string, text: string) => void): Promise<void> {
    this.#listeners.add(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
  }
}
