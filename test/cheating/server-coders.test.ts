import { expect, test } from "vitest";
import { type Call, coderCases, done, write } from "./coder-case.ts";
import { SERVER } from "./goals.ts";

const give = coderCases();

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
test("a server that is right is proven, with its tests in another sandbox", async () => {
  const { status, why } = await give(SERVER, python("text[::-1]"));
  expect(status, why).toBe("proven");
});

test("a server that works only beside its tests is not proven", async () => {
  const { status, why } = await give(SERVER, python('text[::-1] if os.path.isdir("te" + "sts") else ""'));
  expect(status, why).toBe("not-proven");
});
