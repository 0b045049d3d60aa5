import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import type { Readiness, Service, TestNeeds } from "../domain/evidence/test-needs.ts";
import { fail } from "../domain/failure.ts";
import { projectDirectory } from "./config-places.ts";
import { DURATION, parseDuration } from "./duration.ts";
import { readText } from "./read-text.ts";

const SERVICES = "services.yaml";
const VARIABLES = "test.env";
const DEFAULT_TIMEOUT = "30s";

/**
 * Reads what a project's tests need from its `.miracle/`. It comes with the repository and needs no trust: services
 * start inside the sandbox of the tests and can do no more than the tests.
 */
export async function readTestNeeds(directory: string): Promise<TestNeeds> {
  const place = projectDirectory(directory);
  if (place === undefined) return { services: [], env: {} };
  return { services: await readServices(place), env: readTestVariables(directory) };
}

/** The same from a tree, where the directory is not. Variables may be secrets, and are in no tree: they are given. */
export async function testNeedsOf(
  readFile: (path: string) => Buffer | null,
  env: Record<string, string>,
): Promise<TestNeeds> {
  const read = (path: string) => readFile(path)?.toString("utf8");
  return { services: await servicesIn(read, join(".miracle", SERVICES)), env };
}

/** Reads only the variables. Their values may be secrets. */
export function readTestVariables(directory: string): Record<string, string> {
  const place = projectDirectory(directory);
  const text = place === undefined ? undefined : readText(join(place, VARIABLES));
  if (text === undefined) return {};
  const variables = Object.entries(parseEnv(text)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(variables);
}

const readServices = (place: string): Promise<Service[]> =>
  servicesIn((path) => readText(join(dirname(place), path)), join(place, SERVICES));

/** `read` takes paths of the project; `file` is what messages call the settings. */
async function servicesIn(read: (path: string) => string | undefined, file: string): Promise<Service[]> {
  const text = read(join(".miracle", SERVICES));
  if (text === undefined) return [];
  const { parseYamlAs } = await import("./parse-yaml.ts");
  const { value } = parseYamlAs(ServicesFile, text, file);
  const own = value.services.map((service) => ({ ...service, timeoutMs: parseDuration(service.timeout) ?? 0 }));
  if (value.compose === undefined) return own;
  const described = own.map(({ name }) => name);
  return [...(await readDatabases(read(value.compose), value.compose, described)), ...own];
}

/** Those that this machine has the program for; what cannot be started is said before anything begins. */
async function readDatabases(text: string | undefined, name: string, described: string[]): Promise<Service[]> {
  const { composeDatabases } = await import("./compose-databases.ts");
  if (text === undefined)
    throw fail("invalid-input", "config.missing", `.miracle/services.yaml names ${name}: there is none`);
  const found = composeDatabases(text, name).filter((one) => !described.includes(one.name));
  return found.map(({ name: database, image, start }) => {
    if (!start) {
      const message = `${name}: ${database} (${image}) cannot be started here: describe it in .miracle/services.yaml under this name`;
      throw fail("environment", "services.unknown", message);
    }
    if (!existsSync(start.program)) {
      const message = `${name}: ${database} (${image}) needs a program that is missing: apt-get install ${start.needs}`;
      throw fail("environment", "services.missing", message);
    }
    return start.service;
  });
}

const Variables = z.lazy(() =>
  z.record(
    z.string().regex(/^[A-Za-z_]\w*$/, "the name of a variable"),
    z.union([z.string(), z.number(), z.boolean()]),
  ),
);

const Ready = z.lazy(() =>
  z
    .strictObject({
      port: z.int().min(1).max(65_535).optional(),
      http: z
        .string()
        .regex(/^http:\/\//, "an address like http://localhost:8080/health")
        .optional(),
      command: z.string().min(1).optional(),
      log: z.string().min(1).optional(),
    })
    .transform((ready, context): Readiness => {
      const { port, http, command, log } = ready;
      const said: Readiness[] = [];
      if (port !== undefined) said.push({ port });
      if (http !== undefined) said.push({ http });
      if (command !== undefined) said.push({ command });
      if (log !== undefined) said.push({ log });
      const [only, second] = said;
      if (only !== undefined && second === undefined) return only;
      context.addIssue({ code: "custom", message: "say exactly one of port, http, command or log" });
      return z.NEVER;
    }),
);

/** A path that stays in the workspace. */
const isBelow = (path: string) => !path.startsWith("/") && !path.split("/").includes("..");

const ServicesFile = z.lazy(() =>
  z.strictObject({
    compose: z.string().refine(isBelow, "a file of the project, like docker-compose.yml").optional(),
    services: z
      .array(
        z.strictObject({
          name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "small letters, digits and -, beginning with a letter"),
          command: z.string().min(1),
          cwd: z.string().refine(isBelow, "a directory of the project, like backend").default("."),
          env: Variables.default({}).transform((env) =>
            Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
          ),
          ready: Ready,
          timeout: z.string().regex(DURATION, "a duration like 30s or 2m").default(DEFAULT_TIMEOUT),
        }),
      )
      .max(20)
      .refine(
        (services) => new Set(services.map(({ name }) => name)).size === services.length,
        "two services of one name",
      )
      .default([]),
  }),
);
