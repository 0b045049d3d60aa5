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
  const shared = new SharedSchemas();
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route, shared) };
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
      schemas: { Problem: schemaOf(Problem, "output", shared), ...shared.all },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

function operation(route: Route, shared: SharedSchemas): Json {
  const { method, path, scope, summary, params, query, body, success } = route;
  const { status, media, schema } = success;
  const hasBody = Object.keys(body.shape).length > 0;
  const required = !body.safeParse({}).success;
  return {
    operationId: `${method}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, "")}`,
    summary,
    security: scope ? [{ token: [] }] : [],
    ...(scope && { "x-scope": scope }),
    parameters: [...parametersOf(params, "path", shared), ...parametersOf(query, "query", shared)],
    ...(hasBody && {
      requestBody: { required, content: { "application/json": { schema: schemaOf(body, "input", shared) } } },
    }),
    responses: {
      [status]: {
        description: summary,
        content: { [media]: { schema: schema ? schemaOf(schema, "output", shared) : { type: "string" } } },
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

function parametersOf(shape: z.ZodObject, place: "path" | "query", shared: SharedSchemas): Json[] {
  return Object.entries(shape.shape).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(z.object({ [name]: schema }), "input", shared, name);
    const needed = place === "path" || !z.object({ [name]: schema }).safeParse({}).success;
    return { name, in: place, required: needed, schema: rest, ...(description !== undefined && { description }) };
  });
}

/** As JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. What a transform makes of a text is a text outside. */
function schemaOf(schema: z.ZodType, io: "input" | "output", shared: SharedSchemas, property?: string): Json {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const rest = shared.without(made);
  if (property === undefined) return rest;
  const found = z.record(z.string(), z.record(z.string(), z.unknown())).safeParse(rest.properties);
  return found.data?.[property] ?? {};
}

/**
 * Schemas that refer to themselves or are named by others. Zod puts them beside each schema, where references of the
 * whole description do not reach.
 */
class SharedSchemas {
  readonly all: Record<string, unknown> = {};
  readonly #known = new Map<string, Names>();

  /** The schema with its own definitions moved here. */
  without({ $defs, ...schema }: Json): Json {
    const definitions = z.record(z.string(), z.unknown()).safeParse($defs).data;
    if (!definitions) return schema;
    const text = JSON.stringify(definitions);
    const names = this.#known.get(text) ?? this.#take(definitions);
    this.#known.set(text, names);
    return z.record(z.string(), z.unknown()).parse(renamed(schema, names));
  }

  #take(definitions: Json): Names {
    const names: Names = new Map();
    const before = Object.keys(this.all).length;
    for (const [name, definition] of Object.entries(definitions)) {
      names.set(name, isAnything(name, definition) ? null : `Shared${before + names.size + 1}`);
    }
    for (const [name, definition] of Object.entries(definitions)) {
      const shared = names.get(name);
      if (shared) this.all[shared] = renamed(definition, names);
    }
    return names;
  }
}

/** What definitions are called here; null: it may be anything. */
type Names = Map<string, string | null>;

/**
 * Whether it is zod's schema of all JSON, which holds itself. It says no more than no schema at all, and the types that
 * generators make of it are errors.
 */
function isAnything(name: string, definition: unknown): boolean {
  return JSON.stringify(definition).replaceAll(`#/$defs/${name}`, "#") === ANYTHING;
}

const ANYTHING = JSON.stringify({ anyOf: z.toJSONSchema(z.json()).anyOf });

function renamed(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value && names.get(String(value.$ref).replace("#/$defs/", "")) === null) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = key === "$ref" && typeof item === "string" ? names.get(item.replace("#/$defs/", "")) : undefined;
      return [key, name == null ? renamed(item, names) : `#/components/schemas/${name}`];
    }),
  );
}
