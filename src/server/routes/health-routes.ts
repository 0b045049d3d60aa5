import { z } from "zod";
import { jsonRoute, NOTHING, type Route, textRoute } from "./route.ts";

const WELCOME = `Miracle: give it a goal, get code that is proven to work.

GET /openapi.json describes everything that can be asked for. Send a token with it: Authorization: Bearer TOKEN.
`;

/** Says that the server is there and its database answers. Whoever watches it needs no token. */
export function healthRoutes(version: string, ping: () => Promise<void>): Route[] {
  return [
    textRoute(
      {
        method: "get",
        path: "/",
        scope: null,
        summary: "what this is",
        params: NOTHING,
        query: NOTHING,
        body: NOTHING,
        media: "text/plain",
      },
      async () => WELCOME,
    ),
    jsonRoute(
      {
        method: "get",
        path: "/health",
        scope: null,
        summary: "whether the server and its database answer",
        params: NOTHING,
        query: NOTHING,
        body: NOTHING,
        answers: z.object({ status: z.literal("ok"), version: z.string() }),
      },
      async () => {
        await ping();
        return { status: "ok" as const, version };
      },
    ),
  ];
}
