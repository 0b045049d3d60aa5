import { getConnInfo } from "@hono/node-server/conninfo";
import { type Context as AnyContext, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { LentVariables } from "../app/lent-variables.ts";
import { forRequest } from "../bus/correlation.ts";
import { TaskId } from "../domain/task/task.ts";
import type { Store } from "../store/store.ts";
import type { AuditLog } from "./access/audit-log.ts";
import { isOwnHost, isOwnOrigin } from "./access/own-address.ts";
import { Refusal, toProblem } from "./access/problem.ts";
import { type Rate, RateLimit } from "./access/rate-limit.ts";
import { requestId } from "./access/request-id.ts";
import { findSession, readSession } from "./access/sessions.ts";
import { findToken, mayDo, type Token } from "./access/tokens.ts";
import type { PageFiles } from "./page-files.ts";
import type { Caller, Route } from "./routes/route.ts";
import type { TreeHost } from "./tree-host.ts";

export interface HttpParts {
  routes: Route[];
  page: PageFiles;
  /** Lends trees to workers; absent: it has none to lend. */
  trees?: TreeHost;
  /** And variables for the tests of a task; null: its directory is not here. */
  lend?(task: string): Promise<LentVariables | null>;
  store: Store;
  audit: AuditLog;
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

/** The id of the request goes with it from door to door. */
interface Env {
  Variables: { request: string };
}
type Context = AnyContext<Env>;

/** All routes behind one door: host, origin, allowance, token and size are checked here, and errors become problems. */
export function httpApp(parts: HttpParts): Hono<Env> {
  const { routes, names, maxBodyBytes, stopping, report } = parts;
  const app = new Hono<Env>();
  const rate = new RateLimit(parts.rate);
  app.onError(async (error, context) => {
    const { status, code } = toProblem(error);
    if (status === 500) report(error);
    const isAboutAccess = status === 401 || status === 403 || status === 421;
    if (isAboutAccess)
      await parts.audit.refused({ ...asked(context, status, code), by: `address ${addressOf(context)}` }).catch(report);
    return problemResponse(error);
  });
  app.use(async (context, next) => {
    context.set("request", requestId(context.req.raw.headers));
    refuseForeign(context, names);
    await next();
    context.header("x-request-id", context.get("request"));
    for (const [name, value] of Object.entries(USUAL)) {
      if (!context.res.headers.has(name)) context.header(name, value);
    }
  });
  const { trees, lend } = parts;
  if (lend) {
    app.get("/trees/:task/test-variables", async (context) => {
      await admit(context, { scope: "work" }, parts, rate);
      const lent = await lend(context.req.param("task"));
      if (!lent) throw new Refusal(404, "task.unknown", "this server does not have the directory of such a task");
      return context.json(lent, 200, { "cache-control": "no-store" });
    });
  }
  if (trees) {
    app.on(["GET", "POST"], "/trees/:task/:asked{.+}", async (context) => {
      const { task, asked } = context.req.param();
      const { name } = await admit(context, { scope: "work" }, parts, rate);
      if (!TaskId.safeParse(task).success) throw new Refusal(404, "task.unknown", "there is no such task");
      return trees.answer(context.req.raw, task, asked, name);
    });
  }
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
      const reply = new Headers();
      const caller = await admit(context, route, parts, rate);
      const raw = {
        params: context.req.param(),
        query: context.req.query(),
        body: await readBody(context),
        headers: context.req.raw.headers,
        signal: AbortSignal.any([context.req.raw.signal, stopping]),
        caller,
        id: context.get("request"),
        reply,
        about: { task: taskOf(context), by: caller.name },
      };
      const response = await forRequest(raw.id, () => route.answer(raw), caller.name);
      for (const [name, value] of reply) response.headers.append(name, value);
      if (route.method !== "get") {
        const entry = { action: "request", ...asked(context, response.status), ...raw.about };
        // It is done by now: that it cannot be written down must not make it look undone.
        await parts.audit.note(entry).catch(report);
      }
      return response;
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
  app.notFound(async (context) => {
    const page = isReading(context) ? await parts.page.find(context.req.path) : null;
    return page ?? problemResponse(new Refusal(404, "request.path", "nothing is here; /openapi.json lists all paths"));
  });
  return app;
}

/** What every answer says that says nothing else: it is data, and stays nowhere. */
const USUAL = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

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
  // A link to the page may stand anywhere: it shows nothing before somebody signs in.
  const isVisit = isReading(context) && context.req.path === "/" && header("sec-fetch-mode") === "navigate";
  if (!isVisit && !isOwnOrigin({ host, origin: header("origin"), fetchSite: header("sec-fetch-site") })) {
    throw new Refusal(403, "request.origin", "a page of another origin may not ask this server");
  }
}

/** Who asks, if they may. An allowance is counted by token, and by address where there is none. */
async function admit(
  context: Context,
  { scope }: Pick<Route, "scope">,
  parts: HttpParts,
  rate: RateLimit,
): Promise<Caller> {
  const token = scope === null ? null : await credentials(context, parts.store);
  const wait = rate.take(token ? `token ${token.name}` : `address ${addressOf(context)}`);
  if (wait > 0) {
    throw new Refusal(429, "request.rate", `too many requests; try again in ${wait} s`, {
      headers: { "retry-after": String(wait) },
    });
  }
  if (token && scope !== null && !mayDo(token, scope)) {
    throw new Refusal(403, "token.scope", `token ${token.name} has no scope ${scope}`);
  }
  if (token) return { name: token.name, scopes: token.scopes };
  if (scope === null) return { name: "anybody", scopes: [] };
  if (!parts.tokens) return { name: "local", scopes: ["admin"] };
  throw new Refusal(401, "token.needed", "a token is needed: Authorization: Bearer TOKEN (see `miracle token`)", {
    headers: { "www-authenticate": "Bearer" },
  });
}

const isReading = (context: Context): boolean => ["GET", "HEAD"].includes(context.req.method);

const addressOf = (context: Context): string => getConnInfo(context).remote.address ?? "";

/** A request as the audit tells it. */
function asked(context: Context, status: number, code = "") {
  const { method, path } = context.req;
  const detail = `${method} ${path} ${status} ${code}`.trimEnd();
  return { task: taskOf(context), request: context.get("request"), detail };
}

/** The task that a path names. */
function taskOf(context: Context): string | null {
  const named = ["id", "workflow_id", "task_id"].map((name) => context.req.param(name));
  return TaskId.safeParse(named.find((id) => id !== undefined)).data ?? null;
}

/** A token, or the cookie of a page that is signed in. */
async function credentials(context: Context, store: Store): Promise<Token | null> {
  const { headers } = context.req.raw;
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const [, bearer] = /^Bearer\s+(\S+)$/i.exec(authorization) ?? [];
    return bearer === undefined ? null : findToken(store, bearer);
  }
  const session = readSession(headers);
  if (session === undefined) return null;
  // A browser sends cookies unasked, also for others. What changes something must say that it comes from our page.
  if (!isReading(context) && !headers.has("origin")) {
    throw new Refusal(403, "request.origin", "with a cookie, a request that changes something says its Origin");
  }
  return findSession(store, session, Date.now());
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
