import { describe, expect, test } from "vitest";
import { TerminalFailure } from "../../domain/failure.ts";
import { readAuthority } from "./host-name.ts";
import { allowsHost, parseHostRule } from "./host-rule.ts";

const allows = (rule: string, target: string) => {
  const authority = readAuthority(target, 443);
  return authority !== null && allowsHost([parseHostRule(rule)], authority);
};

describe("a rule for hosts", () => {
  test.each([
    ["example.org", "example.org"],
    ["example.org", "EXAMPLE.org."],
    ["Example.ORG", "example.org:80"],
    ["*.example.org", "a.b.example.org"],
    ["example.org:8443", "example.org:8443"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["93.184.216.34", "93.184.216.34"],
    ["[2606:2800::1]:444", "[2606:2800::1]:444"],
  ])("%s allows %s", (rule, target) => {
    expect(allows(rule, target)).toBe(true);
  });

  test.each([
    ["example.org", "www.example.org"],
    ["example.org", "example.org.evil.test"],
    ["example.org", "notexample.org"],
    ["*.example.org", "example.org"],
    ["*.example.org", "evilexample.org"],
    ["example.org", "example.org:22"],
    ["example.org:8443", "example.org"],
  ])("%s does not allow %s", (rule, target) => {
    expect(allows(rule, target)).toBe(false);
  });

  test.each([
    "*",
    "*.org",
    "https://example.org",
    "example.org/path",
    "user@example.org",
    "exa mple.org",
    "example.org:0",
    "example.org:99999",
    "",
    "a..b",
    "*.*.org",
    "0x7f.1",
    "2130706433",
  ])("%j is none", (text) => {
    expect(() => parseHostRule(text)).toThrow(TerminalFailure);
  });
});
