import type { MadePackage } from "./package-index.ts";

const ROUTES = `"""Paths with names in them: "/rooms/<name>"."""


def match(pattern, path):
    """The named parts of a path, or None where it is another path."""
    wanted, there = pattern.strip("/").split("/"), path.strip("/").split("/")
    if len(wanted) != len(there):
        return None
    found = {}
    for part, value in zip(wanted, there):
        if part.startswith("<") and part.endswith(">"):
            found[part[1:-1]] = value
        elif part != value:
            return None
    return found
`;

const WEB = `"""A small web framework.

    from tinyweb import App

    app = App()

    @app.get("/rooms/<name>")
    def room(name):
        return {"room": name}            # 200 and JSON; or a pair: (404, {"error": "unknown"})

    app.serve(8000)                      # on loopback; app itself is a WSGI application
"""

import json
from http.client import responses
from urllib.parse import unquote
from wsgiref.simple_server import WSGIRequestHandler, make_server

from tinyroutes import match


class App:
    def __init__(self):
        self._routes = []

    def get(self, pattern):
        """Answers GET requests for a path: the function is given its named parts, as text."""

        def register(function):
            self._routes.append((pattern, function))
            return function

        return register

    def __call__(self, environ, start_response):
        status, body = self._answer(environ["REQUEST_METHOD"], environ.get("PATH_INFO", "/"))
        content = json.dumps(body).encode()
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(content)))]
        start_response(f"{status} {responses[status]}", headers)
        return [content]

    def _answer(self, method, path):
        for pattern, function in self._routes:
            parts = match(pattern, path)
            if parts is None:
                continue
            if method != "GET":
                return 405, {"error": "method not allowed"}
            answer = function(**{name: unquote(value) for name, value in parts.items()})
            return answer if isinstance(answer, tuple) else (200, answer)
        return 404, {"error": "not found"}

    def serve(self, port):
        class Quiet(WSGIRequestHandler):
            def log_message(self, *_):
                pass

        with make_server("127.0.0.1", port, self, handler_class=Quiet) as server:
            server.serve_forever()
`;

const released = "2026-03-02T09:00:00Z";

/** A small web framework of Python's, which needs a second package. */
export const WEB_FRAMEWORK: MadePackage[] = [
  {
    language: "python",
    name: "tinyweb",
    version: "1.4.0",
    licence: "MIT",
    released,
    requires: ["tinyroutes>=0.3"],
    files: { "tinyweb/__init__.py": WEB },
  },
  {
    language: "python",
    name: "tinyroutes",
    version: "0.3.1",
    licence: "MIT",
    released,
    files: { "tinyroutes.py": ROUTES },
  },
];

/** What a command line tool is made with, and what that needs. */
export const COLUMNS: MadePackage[] = [
  {
    language: "javascript",
    name: "small-columns",
    version: "2.1.0",
    licence: "ISC",
    released: "2026-03-02T09:00:00.000Z",
    dependencies: { "small-width": "^1.0.0" },
    files: {
      "index.js": `const width = require("small-width");

/** Lines of text whose cells stand below each other. */
exports.columns = (rows) => {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => width(row[at]))));
  return rows.map((row) => row.map((cell, at) => cell + " ".repeat(widths[at] - width(cell))).join("  ").trimEnd());
};
`,
    },
  },
  {
    language: "javascript",
    name: "small-width",
    version: "1.0.2",
    licence: "ISC",
    released: "2026-03-02T09:00:00.000Z",
    files: { "index.js": "module.exports = (text) => [...text].length;\n" },
  },
];
