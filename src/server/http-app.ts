import { getConnInfo } from "@hono/node-server/conninfo";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Store } from "../store/store.ts";
import { isOwnHost, isOwnOrigin } from "./access/own-address.ts";
import { Refusal, toProblem } from "./access/problem.ts";
import { type Rate, RateLimit } from "./access/rate-limit.ts";
import { findToken, mayDo } from "./access/tokens.ts";
import type { Caller, Route } from "./routes/route.ts";

export interface HttpParts {
  routes: Route[];
  store: Store;
  /** False: whoever reaches the server may do everything. Only on loopback. */
  tokens: boolean;
  /** Host names that are ours. */
  names: string[];
  rate: Rate;
  maxBodyBytes: number;
  /** Ends what is under way when the server stops. */
  stopping: AbortSignal;
  report(error: unknown): void;
}

/** All routes behind one door: host, origin, allowance, token and size are checked here, and errors become problems. */
export function httpApp(parts: HttpParts): Hono {
  const { routes, names, maxBodyBytes, stopping, report } = parts;
  const app = new Hono();
  const rate = new RateLimit(parts.rate);
  app.onError((error) => {
    const problem = toProblem(error);
    if (problem.status === 500) report(error);
    return problemResponse(error);
  });
  app.use(async (context, next) => {
    refuseForeign(context, names);
    await next();
    context.header("x-content-type-options", "nosniff");
    context.header("cache-control", "no-store");
  });
  app.use(
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: () => {
        throw new Refusal(413, "request.too-large", `a request has at most ${maxBodyBytes} bytes`);
      },
    }),
  );
  for (const route of routes) {
    app.on(route.method.toUpperCase(), honoPath(route.path), async (context) => {
      const caller = await admit(context, route, parts, rate);
      return route.answer({
        params: context.req.param(),
        query: context.req.query(),
        body: await readBody(context),
        headers: context.req.raw.headers,
        signal: AbortSignal.any([context.req.raw.signal, stopping]),
        caller,
      });
    });
  }
  // Known paths with another method, before all that is unknown.
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes.filter((route) => route.path === path).map((route) => route.method.toUpperCase());
    app.all(honoPath(path), () => {
      throw new Refusal(405, "request.method", `only ${allowed.join(", ")} here`, {
        headers: { allow: allowed.join(", ") },
      });
    });
  }
  app.notFound(() =>
    problemResponse(new Refusal(404, "request.path", "nothing is here; /openapi.json lists all paths")),
  );
  return app;
}

function refuseForeign(context: Context, names: string[]): void {
  const header = (name: string) => context.req.header(name);
  const host = header("host");
  if (!isOwnHost(host, names)) {
    throw new Refusal(
      421,
      "request.host",
      "this server does not go by that name; server.names of the settings lists more",
    );
  }
  if (!isOwnOrigin({ host, origin: header("origin"), fetchSite: header("sec-fetch-site") })) {
    throw new Refusal(403, "request.origin", "a page of another origin may not ask this server");
  }
}

/** Who asks, if they may. An allowance is counted by token, and by address where there is none. */
async function admit(context: Context, { scope }: Route, parts: HttpParts, rate: RateLimit): Promise<Caller> {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(context.req.header("authorization") ?? "") ?? [];
  const token = bearer === undefined || scope === null ? null : await findToken(parts.store, bearer);
  const wait = rate.take(token ? `token ${token.name}` : `address ${getConnInfo(context).remote.address ?? ""}`);
  if (wait > 0) {
    throw new Refusal(429, "request.rate", `too many requests; try again in ${wait} s`, {
      headers: { "retry-after": String(wait) },
    });
  }
  if (token && scope !== null && !mayDo(token, scope)) {
    throw new Refusal(403, "token.scope", `token ${token.name} has no scope ${scope}`);
  }
  if (token) return { name: token.name };
  if (scope === null || !parts.tokens) return { name: "local" };
  throw new Refusal(401, "token.needed", "a token is needed: Authorization: Bearer TOKEN (see `miracle token`)", {
    headers: { "www-authenticate": "Bearer" },
  });
}

async function readBody(context: Context): Promise<unknown> {
  const text = await context.req.text();
  if (text === "") return {};
  if (!/^application\/json\b/i.test(context.req.header("content-type") ?? "")) {
    throw new Refusal(415, "request.media", "a body is sent as application/json");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "request.json", "the body is no JSON");
  }
}

function problemResponse(error: unknown): Response {
  const problem = toProblem(error);
  const headers = {
    "content-type": "application/problem+json",
    "x-content-type-options": "nosniff",
    ...(error instanceof Refusal && error.headers),
  };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");
