import { z } from "zod";
import { jsonRoute, NOTHING, type Route } from "./route.ts";

/** Says that the server is there and its database answers. Whoever watches it needs no token. */
export function healthRoutes(version: string, ping: () => Promise<void>): Route[] {
  return [
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
