import { expect, test } from "vitest";
import { classifyFault } from "./classify-fault.ts";

test("a server that refuses a request without a key names what to set", () => {
  const refused = { type: "status", status: 401, headers: {}, body: "no key" } as const;
  const said = (provider: string) =>
    classifyFault(refused, { provider, model: "m", url: "http://here/v1", keyVariable: undefined, now: 0 });
  expect(said("local")).toMatchObject({ retry: false, failure: { code: "model.unauthorized" } });
  expect(said("local").failure.message).toContain("if it wants a key, set MIRACLE_API_KEY");
  expect(said("gateway").failure.message).toContain("keyVariable of provider gateway");
});
