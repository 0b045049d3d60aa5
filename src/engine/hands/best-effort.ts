import type { EventBody } from "../../domain/task/event.ts";
import type { EngineParts } from "./parts.ts";

/** Memory is optional. If it fails, a warning is raised, null is returned, and the work goes on without memory. */
export async function bestEffort<T>(
  { signal }: Pick<EngineParts, "signal">,
  emit: (event: EventBody) => void,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    emit({ type: "warning-raised", code: "memory.unavailable", message: `memory is of no use here: ${why}` });
    return null;
  }
}

/** Removes the lines that only git reads from a diff: they cost tokens and differ every time. */
export const shorn = (diff: string): string =>
  diff.replace(
    /^(?:diff --git .*|index [0-9a-f]+\.\.[0-9a-f]+.*|(?:new|deleted) file mode \d+|--- \/dev\/null)\n/gm,
    "",
  );
