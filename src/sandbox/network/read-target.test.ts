import { describe, expect, test } from "vitest";
import { readTarget } from "./read-target.ts";

const plain = (url: string, headers: string[], method = "GET") => readTarget({ method, url, rawHeaders: headers });
const tunnel = (url: string, headers: string[] = []) => readTarget({ method: "CONNECT", url, rawHeaders: headers });

describe("the target of a request", () => {
  test("is the host, port and path of its address", () => {
    const target = plain("http://Example.org:8080/a?b=c", ["Host", "example.org:8080"]);
    expect(target).toEqual({ ok: true, host: "example.org", port: 8080, path: "/a?b=c" });
    expect(plain("http://example.org", ["HOST", "example.org:80"])).toMatchObject({ ok: true, port: 80, path: "/" });
    expect(plain("http://example.org?q", ["host", "example.org"])).toMatchObject({ ok: true, path: "/?q" });
  });

  test("of a tunnel is the host and port it names", () => {
    expect(tunnel("example.org:443")).toMatchObject({ ok: true, host: "example.org", port: 443 });
    expect(tunnel("example.org:443", ["Host", "example.org"])).toMatchObject({ ok: true });
    expect(tunnel("[2606:2800::1]:443", ["Host", "[2606:2800::1]:443"])).toMatchObject({ ok: true });
  });

  const HOST = ["Host", "example.org"];
  test.each<[string, string, string[], string]>([
    ["a path alone", "/a", HOST, "GET"],
    ["an asterisk", "*", HOST, "OPTIONS"],
    ["another scheme", "https://example.org/", HOST, "GET"],
    ["a file", "file:///etc/passwd", HOST, "GET"],
    ["a user", "http://good@example.org/", HOST, "GET"],
    ["a user before a host that is allowed", "http://example.org@evil.test/", HOST, "GET"],
    ["a fragment", "http://example.org/#@evil.test", HOST, "GET"],
    ["a backslash in the host", "http://example.org\\@evil.test/", HOST, "GET"],
    ["a host in hexadecimal", "http://0x7f000001/", ["Host", "0x7f000001"], "GET"],
    ["no Host", "http://example.org/", [], "GET"],
    ["another Host", "http://example.org/", ["Host", "evil.test"], "GET"],
    ["Host with another port", "http://example.org/", ["Host", "example.org:8080"], "GET"],
    ["two Hosts", "http://example.org/", [...HOST, "host", "evil.test"], "GET"],
    ["two lengths", "http://example.org/", [...HOST, "Content-Length", "1", "content-length", "1"], "POST"],
    [
      "a length and chunks",
      "http://example.org/",
      [...HOST, "Content-Length", "1", "Transfer-Encoding", "chunked"],
      "POST",
    ],
    ["a length that is no number", "http://example.org/", [...HOST, "Content-Length", "+1"], "POST"],
    ["another coding", "http://example.org/", [...HOST, "Transfer-Encoding", "gzip, chunked"], "POST"],
    ["an upgrade", "http://example.org/", [...HOST, "Upgrade", "h2c"], "GET"],
    ["another method", "http://example.org/", HOST, "TRACE"],
    ["a lower-case method", "http://example.org/", HOST, "get"],
    ["port 0", "http://example.org:0/", ["Host", "example.org:0"], "GET"],
  ])("is refused for %s", (_name, url, headers, method) => {
    expect(plain(url, headers, method)).toMatchObject({ ok: false });
  });

  test.each<[string, string, string[]]>([
    ["no port", "example.org", []],
    ["an address with a scheme", "http://example.org:443", []],
    ["another Host", "example.org:443", ["Host", "evil.test:443"]],
    ["another port in Host", "example.org:443", ["Host", "example.org:80"]],
    ["two Hosts", "example.org:443", ["Host", "example.org", "Host", "example.org"]],
    ["a body", "example.org:443", ["Content-Length", "5"]],
    ["chunks", "example.org:443", ["Transfer-Encoding", "chunked"]],
    ["a user", "a@example.org:443", []],
  ])("of a tunnel is refused for %s", (_name, url, headers) => {
    expect(tunnel(url, headers)).toMatchObject({ ok: false });
  });
});
