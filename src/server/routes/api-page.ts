import { NOTHING, type Route, textRoute } from "./route.ts";

/** The routes for people to read: one page without scripts or styles. */
export function apiPageRoute(routes: Route[], version: string): Route {
  return textRoute(
    {
      method: "get",
      path: "/docs",
      scope: null,
      summary: "all routes, for people to read",
      params: NOTHING,
      query: NOTHING,
      body: NOTHING,
      media: "text/html",
    },
    async () => page(routes, version),
  );
}

function page(routes: Route[], version: string): string {
  const sections = routes.map(({ method, path, scope, summary, query, body, success }) => {
    const needs = scope === null ? "no token" : `token with ${scope}`;
    const fields = [
      ...Object.keys(query.shape).map((name) => `?${name}`),
      ...Object.keys(body.shape).map(
        (name) => `${name}${body.shape[name]?.safeParse(undefined).success ? "" : " (needed)"}`,
      ),
    ];
    const takes =
      fields.length === 0 ? "" : ` Takes ${fields.map((name) => `<code>${escaped(name)}</code>`).join(", ")}.`;
    const answer = `Answers ${success.status} ${escaped(success.media)}; ${escaped(needs)}.`;
    return `<dt><code>${method.toUpperCase()} ${escaped(path)}</code></dt><dd>${escaped(summary)}.${takes} ${answer}</dd>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Miracle ${escaped(version)}: routes</title><h1>Miracle ${escaped(version)}</h1>
<p>Send a token with each request: <code>Authorization: Bearer TOKEN</code>. Errors are problem details (RFC 9457).
<a href="/openapi.json">openapi.json</a> says the same for programs, with all types.</p>
<dl>${sections.join("\n")}</dl></html>
`;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
