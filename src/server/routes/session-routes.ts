import { z } from "zod";
import type { Store } from "../../store/store.ts";
import { Refusal } from "../access/problem.ts";
import { endSession, openSession, readSession, SESSION_MS, sessionHeader } from "../access/sessions.ts";
import { Scope } from "../access/tokens.ts";
import { jsonRoute, NOTHING, type Route } from "./route.ts";

const Session = z.object({
  name: z.string().describe("Of the token"),
  scopes: z.array(Scope),
  version: z.string(),
});

/** How a page signs in: the token of the printed link is given once, and a cookie speaks for it from then on. */
export function sessionRoutes(store: Store, version: string): Route[] {
  return [
    jsonRoute(
      {
        method: "post",
        path: "/session",
        scope: null,
        summary: "sign a page in with a token; a cookie that no script can read speaks for it from then on",
        params: NOTHING,
        query: NOTHING,
        body: z.strictObject({ token: z.string().min(1).max(200) }),
        status: 201,
        answers: Session,
      },
      async ({ body, headers, reply, about }) => {
        const opened = await openSession(store, body.token, Date.now());
        if (!opened) throw new Refusal(401, "token.needed", "this token is not known here, or not any more");
        reply.append("set-cookie", sessionHeader(headers.get("host") ?? undefined, opened.session, SESSION_MS));
        const { name, scopes } = opened.token;
        about.by = name;
        return { name, scopes, version };
      },
    ),
    jsonRoute(
      {
        method: "get",
        path: "/session",
        scope: "read",
        summary: "who asks, and what they may do",
        params: NOTHING,
        query: NOTHING,
        body: NOTHING,
        answers: Session,
      },
      async ({ caller }) => ({ ...caller, version }),
    ),
    jsonRoute(
      {
        method: "post",
        path: "/session/end",
        scope: null,
        summary: "sign the page out",
        params: NOTHING,
        query: NOTHING,
        body: NOTHING,
        answers: z.object({ ended: z.boolean() }),
      },
      async ({ headers, reply }) => {
        const session = readSession(headers);
        if (session !== undefined) await endSession(store, session);
        reply.append("set-cookie", sessionHeader(headers.get("host") ?? undefined, "", 0));
        return { ended: session !== undefined };
      },
    ),
  ];
}
