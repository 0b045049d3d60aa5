import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";

const MEDIA: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

/** Nothing from anywhere else, nothing written into the page itself, and no page around it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Miracle</title>
<p>The server runs, and its page is not built: <code>npm run build</code>. <a href="/openapi.json">All routes</a>.</p>
`;

/** The page and what belongs to it. Paths are compared with the names of files that are there: none leads out. */
export class PageFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Null: no file of the page has this path. */
  async find(path: string): Promise<Response | null> {
    const wanted = path === "/" ? "index.html" : path.slice(1);
    const found = (await this.#names()).find((name) => name === wanted);
    if (found === undefined) return path === "/" ? answer(NOT_BUILT, "index.html") : null;
    return answer(await readFile(join(this.#directory, found)), found);
  }

  /** Looked up each time: it may be built while the server runs. */
  async #names(): Promise<string[]> {
    const entries = await readdir(this.#directory, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.#directory, join(entry.parentPath, entry.name)));
  }
}

function answer(content: string | Uint8Array<ArrayBuffer>, name: string): Response {
  const headers = {
    "content-type": MEDIA[extname(name)] ?? "application/octet-stream",
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    // The names of these change with their content.
    "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
  };
  return new Response(content, { headers });
}
