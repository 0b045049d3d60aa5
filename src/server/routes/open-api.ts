import { z } from "zod";
import { Problem } from "../access/problem.ts";
import { jsonRoute, NOTHING, type Route } from "./route.ts";

/** The route that describes all routes, itself included. */
export function openApiRoute(routes: Route[], version: string): Route {
  const own: Route = jsonRoute(
    {
      method: "get",
      path: "/openapi.json",
      scope: null,
      summary: "this description",
      params: NOTHING,
      query: NOTHING,
      body: NOTHING,
      answers: z.record(z.string(), z.unknown()),
    },
    async () => describe([...routes, own], version),
  );
  return own;
}

type Json = Record<string, unknown>;

function describe(routes: Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Miracle",
      version,
      description: "Give it a goal, get code that is proven to work.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, "output") },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

function operation({ method, path, scope, summary, params, query, body, success }: Route): Json {
  const { status, media, schema } = success;
  const hasBody = Object.keys(body.shape).length > 0;
  const required = !body.safeParse({}).success;
  return {
    operationId: `${method}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, "")}`,
    summary,
    security: scope ? [{ token: [] }] : [],
    ...(scope && { "x-scope": scope }),
    parameters: [...parametersOf(params, "path"), ...parametersOf(query, "query")],
    ...(hasBody && {
      requestBody: { required, content: { "application/json": { schema: schemaOf(body, "input") } } },
    }),
    responses: {
      [status]: {
        description: summary,
        content: { [media]: { schema: schema ? schemaOf(schema, "output") : { type: "string" } } },
      },
      "4XX": REFUSED,
      "5XX": REFUSED,
    },
  };
}

const REFUSED = {
  description: "why not",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

function parametersOf(shape: z.ZodObject, place: "path" | "query"): Json[] {
  return Object.entries(shape.shape).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(z.object({ [name]: schema }), "input", name);
    const needed = place === "path" || !z.object({ [name]: schema }).safeParse({}).success;
    return { name, in: place, required: needed, schema: rest, ...(description !== undefined && { description }) };
  });
}

/** As JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. What a transform makes of a text is a text outside. */
function schemaOf(schema: z.ZodType, io: "input" | "output", property?: string): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  if (property === undefined) return rest;
  const found = z.record(z.string(), z.record(z.string(), z.unknown())).safeParse(rest.properties);
  return found.data?.[property] ?? {};
}
