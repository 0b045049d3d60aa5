import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { keepRule } from "./keep-rule.ts";
import { loadConfig } from "./load-config.ts";
import { packageRoot } from "./package-root.ts";

const rule = (letter: string) => ({ question: `run \`${letter}\``, directory: "/x", covers: [letter.repeat(32)] });

function person(files: Record<string, string> = {}) {
  const home = temporaryDirectory("miracle-rule-");
  const place = join(home, ".config", "miracle");
  if (Object.keys(files).length > 0) mkdirSync(place, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  const rules = async () => {
    const { settings } = await loadConfig({ directory: home, env: {}, home, root: packageRoot() });
    return settings.safety.always;
  };
  return { home, env: {}, rules, read: (name: string) => readFileSync(join(place, name), "utf8") };
}

test("a rule is kept where there were no settings, once, beside others", async () => {
  const someone = person();
  expect(keepRule(rule("a"), someone)).toBe(join(someone.home, ".config/miracle/config.yaml"));
  keepRule(rule("b"), someone);
  keepRule(rule("a"), someone);
  expect(await someone.rules()).toEqual([rule("a"), rule("b")]);
});

test("what else stands in the settings stays, comments too, and the rule is the one that counts", async () => {
  const someone = person({ "config.yaml": "# mine\nsafety: { network: [a.example] } # why\n" });
  keepRule(rule("a"), someone);
  expect(someone.read("config.yaml")).toMatch(/^# mine\nsafety:.*network: \[ ?a\.example ?\]/s);
  expect(someone.read("config.yaml")).toContain("# why");
  expect(await someone.rules()).toEqual([rule("a")]);
  // A file below has rules already: one above it would hide them.
  const other = person({
    "settings.yaml": `safety: { always: [${JSON.stringify(rule("c"))}] }\n`,
    "config.yaml": "{}\n",
  });
  keepRule(rule("a"), other);
  expect(await other.rules()).toEqual([rule("c"), rule("a")]);
});

test("settings that cannot be read or written are left as they are", () => {
  const broken = person({ "config.yaml": "safety: { nonsense: 1 }\n" });
  expect(() => keepRule(rule("a"), broken)).toThrow("unknown key safety.nonsense");
  const odd = person({ "config.yaml": "safety:\n" });
  expect(() => keepRule(rule("a"), odd)).toThrow();
  expect(odd.read("config.yaml")).toBe("safety:\n");
});
