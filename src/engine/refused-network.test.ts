import { expect, test } from "vitest";
import type { EventBody } from "../domain/event.ts";
import { networkTo } from "./refused-network.ts";

test("a refused host is an event once, an allowed one none, and a flood of them is cut off", () => {
  const events: EventBody[] = [];
  const { hosts, onRequest } = networkTo(["example.org"], (event) => events.push(event));
  const ask = (host: string, allowed = false) =>
    onRequest?.({ host, port: 443, method: "CONNECT", allowed, reason: allowed ? "" : "not on the list" });
  ask("example.org", true);
  ask("evil.test");
  ask("evil.test");
  expect(hosts).toEqual(["example.org"]);
  expect(events).toEqual([
    { type: "network-refused", host: "evil.test", port: 443, method: "CONNECT", reason: "not on the list" },
  ]);
  for (let index = 0; index < 1000; index += 1) ask(`host-${index}.test`);
  expect(events).toHaveLength(20);
});
