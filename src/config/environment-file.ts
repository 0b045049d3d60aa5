import { z } from "zod";
import { ENVIRONMENT_FILE, type EnvironmentFile, steersTools } from "../domain/settings/environment-file.ts";
import { parseYamlAs } from "./parse-yaml.ts";

const Shape = z.lazy(() =>
  z.strictObject({
    system: z
      .array(z.string().regex(/^[a-z0-9][a-z0-9+.-]+$/, "the name of a package of Debian's, like libpq5"))
      .max(100)
      .default([]),
    commands: z.array(z.string().min(1).max(4_000)).max(50).default([]),
    variables: z
      .record(
        z
          .string()
          .regex(/^[A-Za-z_]\w*$/, "the name of a variable")
          .refine((name) => !steersTools(name), "a variable that steers the tools themselves cannot be set here"),
        z.union([z.string(), z.number(), z.boolean()]).transform(String),
      )
      .default({}),
  }),
);

/** Comes with the repository and needs no trust: what it says happens in sandboxes. */
export const parseEnvironmentFile = (text: string): EnvironmentFile => parseYamlAs(Shape, text, ENVIRONMENT_FILE).value;
