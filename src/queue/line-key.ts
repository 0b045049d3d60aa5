import { z } from "zod";
import type { Job } from "./job.ts";

const Parts = z.tuple([z.string(), z.string(), z.array(z.string())]);

/** One text for each line of jobs, which can be read again. */
export const lineKey = ({ person, project, labels }: Pick<Job, "person" | "project" | "labels">): string =>
  JSON.stringify([person, project, [...labels].sort()]);

export function readLineKey(key: string): Pick<Job, "person" | "project" | "labels"> {
  const [person, project, labels] = Parts.parse(JSON.parse(key));
  return { person, project, labels };
}
