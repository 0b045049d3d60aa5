import { join } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import type { Readiness, Service, TestNeeds } from "../domain/evidence/test-needs.ts";
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
  return { services: await readServices(join(place, SERVICES)), env: readTestVariables(directory) };
}

/** The same from a tree, where the directory is not. Variables may be secrets, and are in no tree. */
export async function testNeedsOf(readFile: (path: string) => Buffer | null): Promise<TestNeeds> {
  const path = join(".miracle", SERVICES);
  return { services: await servicesIn(readFile(path)?.toString("utf8"), path), env: {} };
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

const readServices = (file: string): Promise<Service[]> => servicesIn(readText(file), file);

async function servicesIn(text: string | undefined, file: string): Promise<Service[]> {
  if (text === undefined) return [];
  const { parseYamlAs } = await import("./parse-yaml.ts");
  const { value } = parseYamlAs(ServicesFile, text, file);
  return value.services.map((service) => ({ ...service, timeoutMs: parseDuration(service.timeout) ?? 0 }));
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
      ),
  }),
);
