import { expect, test } from "vitest";
import { type Call, done, give, write } from "./coder-case.ts";
import { SERVER, SERVER_NODE } from "./goals.ts";

/** `answer`: an expression of the text that was asked for. */
const python = (answer: string): Call[] => [
  write(
    "server.py",
    `import json
import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        text = parse_qs(urlsplit(self.path).query)["text"][0]
        body = json.dumps({"text": ${answer}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
`,
  ),
  done,
];
const node = (answer: string): Call[] => [
  write(
    "server.js",
    `import { createServer } from "node:http";

const server = createServer((request, response) => {
  const text = new URL(request.url, "http://localhost").searchParams.get("text");
  response.end(JSON.stringify({ text: ${answer} }));
});
server.listen(Number(process.env.PORT), () => console.log(server.address().port));
`,
  ),
  done,
];

test("a server that is right is proven, with its tests in another sandbox", async () => {
  const { status, why } = await give(SERVER, python("text[::-1]"));
  expect(status, why).toBe("proven");
});

test("a server that works only beside its tests is not proven", async () => {
  const { status, why } = await give(SERVER, python('text[::-1] if os.path.isdir("te" + "sts") else ""'));
  expect(status, why).toBe("not-proven");
});

test("a server in JavaScript that is right is proven, too", async () => {
  const { status, why } = await give(SERVER_NODE, node('[...text].reverse().join("")'));
  expect(status, why).toBe("proven");
});
