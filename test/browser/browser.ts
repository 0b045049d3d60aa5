import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";

/** Debian's first: `npm test` installs it. */
const PLACES = [
  process.env.MIRACLE_BROWSER ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Undefined where no browser can be had: then there is nothing to test with. */
export const browserPath = PLACES.find((path) => path !== "" && existsSync(path));

export function openBrowser(): Promise<Browser> {
  // Chromium's own sandbox does not start as root; the pages are ours.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath: browserPath ?? "", args: isRoot ? ["--no-sandbox"] : [] });
}

/** Pictures for docs/, when they are wanted: `MIRACLE_PICTURES=docs npx vitest run --project browser`. */
const pictures = process.env.MIRACLE_PICTURES;

/** A page that may ask nobody but its server, and of which nothing may go wrong unseen. */
export class WatchedPage {
  readonly page: Page;
  readonly #faults: string[] = [];

  private constructor(page: Page, origin: string) {
    this.page = page;
    page.on("pageerror", (error) => this.#faults.push(String(error)));
    page.on("console", (message) => {
      const text = message.text();
      // A server that is away, and an answer that says no, are told to people by the page.
      if (message.type() === "error" && !/Failed to load resource/.test(text)) this.#faults.push(text);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(`${origin}/`)) this.#faults.push(`asks ${request.url()}`);
    });
  }

  static async open(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    onTestFinished(() => context.close());
    return new WatchedPage(await context.newPage(), origin);
  }

  /** No fault so far, nothing that axe calls serious, and nothing that sticks out at the side. */
  async isSound(): Promise<void> {
    expect(this.#faults).toEqual([]);
    expect(await this.#axe()).toEqual([]);
    const size = "({ wide: document.documentElement.scrollWidth, room: document.documentElement.clientWidth })";
    const { wide, room } = Size.parse(await this.page.evaluate(size));
    expect(wide, "the page is as wide as the window").toBeLessThanOrEqual(room);
  }

  async picture(name: string): Promise<void> {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await this.page.screenshot({ path: join(pictures, `${name}.png`) });
  }

  async #axe(): Promise<string[]> {
    const isThere: unknown = await this.page.evaluate("typeof axe !== 'undefined'");
    if (isThere !== true) await this.page.evaluate(`${AXE}; undefined`);
    const found: unknown = await this.page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
    const { violations } = Violations.parse(found);
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  }
}

const Size = z.object({ wide: z.number(), room: z.number() });

const Violations = z.object({
  violations: z.array(
    z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});

const AXE = readAxe();

function readAxe(): string {
  const require = createRequire(import.meta.url);
  const { source } = z.object({ source: z.string() }).parse(require("axe-core"));
  return source;
}
