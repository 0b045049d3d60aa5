import type { Event } from "../../src/domain/task/event.ts";

/** Takes server-sent events out of text that comes in pieces. What is not complete waits for the next piece. */
export class FrameReader {
  #rest = "";

  push(text: string): Event[] {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      const data = block
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).replace(/^ /, ""))
        .join("\n");
      if (data === "") return [];
      const event: Event = JSON.parse(data);
      return [event];
    });
  }
}
