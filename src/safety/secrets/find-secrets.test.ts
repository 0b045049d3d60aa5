import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadScanRules } from "../scan/scan-rules.ts";
import { secretFindings } from "../scan/secret-findings.ts";
import { secretSpans } from "./find-secrets.ts";

const { secrets: rules } = await loadScanRules(join(import.meta.dirname, "../../.."));
const find = (content: string, path = "src/a.py") =>
  secretFindings({ path, content }, secretSpans({ path, content }, rules), false);
const named = (content: string, path?: string) => find(content, path).map(({ rule }) => rule);

/** Put together here, so that no other scanner takes this file for a leak. */
const letters = (count: number) => "aB3dE5gH7jK9mN2pQ4sT6vX8zC1".repeat(10).slice(0, count);

test.each([
  ["secret.pem", `-----BEGIN RSA ${"PRIVATE"} KEY-----\nMIIEpAIBAAKCAQEA${letters(40)}\n`],
  ["secret.pem", `key = "-----BEGIN ${"PRIVATE"} KEY-----\\nMIIEvQIBADANBgkq${letters(30)}"`],
  ["secret.aws", `id = AKIA${"Q7RST3UVWXYZ2345"}`],
  ["secret.gcp", `AIza${letters(35)}`],
  ["secret.azure", `AccountKey=${letters(86)}==`],
  ["secret.github", `ghp_${letters(36)}`],
  ["secret.gitlab", `glpat-${letters(20)}`],
  ["secret.slack", `xoxb-${"2345678901"}-${letters(24)}`],
  ["secret.stripe", `sk_live_${letters(24)}`],
  ["secret.anthropic", `sk-ant-api03-${letters(80)}`],
  ["secret.openai", `sk-proj-${letters(48)}`],
  ["secret.npm", `//registry/:_authToken=${letters(36)}`],
  ["secret.jwt", `eyJ${letters(20)}.eyJ${letters(40)}.${letters(43)}`],
  ["secret.url", `postgres://app:${"k3yT9w2Qz"}@db.internal/x`],
  ["secret.assigned", `password = "${"tR8#kfo2Lq"}"`],
  ["secret.assigned", `DB_PASSWORD = "${"s3cr3t"}-Passw0rd!"`],
  ["secret.assigned", `"clientSecret": "${letters(24)}"`],
  ["secret.assigned", `API_KEY=${letters(24)}`],
  ["secret.random", `x = "${letters(40)}"`],
])("finds %s", (rule, content) => {
  const findings = find(content);
  expect(findings.map((finding) => finding.rule)).toContain(rule);
  for (const { excerpt } of findings) expect(excerpt).toMatch(/^[A-Za-z' -]+, \d+ characters$/);
});

test.each([
  'password = "changeme"',
  'password = os.environ["PASSWORD"]',
  "token: ${GITHUB_TOKEN}",
  'api_key = "your-api-key-here"',
  'secret = "xxxxxxxxxxxx"',
  'password = "<password>"',
  "def login(user, password: str = None):",
  "const token = tokens.next();",
  'token_type = "bearer-token-v2"',
  "AKIAIOSFODNN7EXAMPLE",
  "https://user:${PASSWORD}@host/",
  'digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
  'id = "123e4567-e89b-12d3-a456-426614174000"',
  'x = "ThisIsJustAVeryLongIdentifierName2024v2x"',
  'from "@scope/some-package/dist/index.js"',
])("lets %s pass", (content) => {
  expect(named(content)).toEqual([]);
});

test("hashes of lock files are no secrets", () => {
  const line = `"integrity": "sha512-${letters(86)}=="`;
  expect(named(line, "package-lock.json")).toEqual([]);
  expect(named(`x = "${letters(40)}"`, "poetry.lock")).toEqual([]);
});

describe("hostile text", () => {
  const size = 200_000;
  test.each([
    ["one word", "a".repeat(size)],
    ["names without values", "password ".repeat(size / 9)],
    ["open quotes", 'password="'.repeat(size / 10)],
    ["spaces", `password${" ".repeat(size)}`],
    ["dashes", "-".repeat(size)],
    ["colons", "a:".repeat(size / 2)],
    ["schemes", "a://b:".repeat(size / 6)],
    ["tokens that nearly end", `${"eyJaaaaaaaaaa.".repeat(size / 14)}`],
    ["headers of keys", "-----BEGIN A ".repeat(size / 13)],
    ["keys without a body", `-----BEGIN ${"PRIVATE"} KEY-----${" \n".repeat(size / 2)}`],
    ["prefixes", "sk-".repeat(size / 3)],
  ])("of %s is read to its end", (_, content) => {
    // A pattern that goes back over what it has read would not end within the time of a test.
    expect(Array.isArray(find(content))).toBe(true);
  });
});
