import { expect, test } from "vitest";
import { z } from "zod";
import { openApiRoute } from "./open-api.ts";
import { jsonRoute, NOTHING } from "./route.ts";

/** Everything that a `$ref` names. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === "$ref" ? [String(item)] : referencesIn(item)));
}

const routeOf = (path: string, answers: z.ZodType) =>
  jsonRoute(
    { method: "get", path, scope: "read", summary: "x", params: NOTHING, query: NOTHING, body: NOTHING, answers },
    async () => null,
  );

test("what a schema refers to is found from the root of the description, also by schemas that hold themselves", async () => {
  const Tree = z.object({
    get children() {
      return z.array(Tree);
    },
  });
  const routes = [
    routeOf("/a", z.object({ any: z.json() })),
    routeOf("/b", z.object({ other: z.json(), list: z.array(z.json()) })),
    routeOf("/c", z.object({ tree: Tree })),
  ];
  const route = openApiRoute(routes, "1.0.0");
  const about = { task: null, by: "" };
  const none = { params: {}, query: {}, body: {}, headers: new Headers(), caller: { name: "", scopes: [] } };
  const request = { ...none, id: "r1", reply: new Headers(), about, signal: new AbortController().signal };
  const description = await (await route.answer(request)).json();
  const references = referencesIn(description);
  expect(references.length).toBeGreaterThan(5);
  for (const reference of references) {
    const place = reference.replace(/^#\//, "").split("/");
    const found = place.reduce<unknown>((at, key) => Object(at)[key], description);
    expect(found, reference).toBeDefined();
  }
  expect(JSON.stringify(description)).not.toContain("$defs");
  const schemas: unknown = Object(description).components.schemas;
  expect(Object.keys(Object(schemas)), "what may be anything needs no schema").toEqual(["Problem", "Shared1"]);
});
